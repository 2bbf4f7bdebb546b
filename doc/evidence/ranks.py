"""What rank 0 of `polhode-mpi sweep` does with many ranks: a simulation of its messages, event by event.

Each rank asks for a block, rank 0 answers one after the other, in the order in which they ask, and the rank runs the block: sizes of blocks are
those of tools/mpi/deal.c. Inputs are what an answer costs at rank 0 and what a rank writes; the table of doc/howto/clusters.md has them and the output.

    python3 doc/evidence/ranks.py [SECONDS OF AN ANSWER]
"""
import heapq
import sys


def block_seconds(ranks):  # dealer_seconds
    return max(1.0, 2e-4 * ranks)


def simulate(ranks, member, hours=0.1, answer=20e-6, latency=20e-6, threads=1):
    """Share of its time for which rank 0 is busy, longest wait for an answer [s], messages a second, blocks a rank, share of the ranks' time that is lost."""
    left = total = max(ranks, int(hours * 3600 * ranks / member))
    asks = [(latency * i / ranks, i) for i in range(ranks)]
    heapq.heapify(asks)
    seen = [False] * ranks
    free = busy = wait = end = 0.0
    answers = 0
    while left:
        time, rank = heapq.heappop(asks)
        begin = max(time, free)
        free = begin + answer
        busy += answer
        answers += 1
        wait = max(wait, free - time)
        n = block_seconds(ranks) / member if seen[rank] else threads
        n = min(n, left / (2.0 * ranks))
        n = int(min(max(threads, n // threads * threads), left))
        seen[rank] = True
        left -= n
        end = max(end, free + latency + n * member / threads)
        heapq.heappush(asks, (free + latency + n * member / threads, rank))
    ideal = total * member / ranks / threads
    return busy / end, wait, answers / end, answers / ranks, 1 - ideal / end


def main():
    answer = float(sys.argv[1]) if len(sys.argv) > 1 else 20e-6
    print("ranks   member   busy %  longest wait  answers/s  blocks a rank  time lost %")
    for ranks in (10, 100, 1000, 10000):
        for member in (1e-3, 1.0, 60.0):
            busy, wait, rate, blocks, lost = simulate(ranks, member, answer=answer)
            print(f"{ranks:6d} {member:7.3g} s {100 * busy:7.2f} {wait:12.3g} s {rate:10.0f} {blocks:14.0f} {100 * lost:10.1f}")


if __name__ == "__main__":
    main()
