#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# polhode-mpi: the ranks' archives, joined, have the bytes of a sweep by one process, with their events and failures; also after a rank was
# killed (kill -9), with another number of ranks, and with one. What the archives have is not run again. Messages name the rank.
set -eu
# shellcheck source=tests/kit/kit.sh
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
mpi=$top_builddir/polhode-mpi
test -x "$mpi" || skip "there is no polhode-mpi in this build"
command -v mpirun > /dev/null || skip "there is no mpirun"
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl=self,vader
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_btl
# sanitizers would report what MPI itself does not give back
ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
export ASAN_OPTIONS

members=3000
test -z "${POLHODE_CHECK_SHORT-}" || members=1000
# some members fail: their speeds are too large for the step
cat > s.yaml << END
polhode: 1
model: planar-chain
parameters: {masses: [1, 1], lengths: 1}
initial: {q: [[0.8, 0.6], [0.6, 0.8]], omega: [[0], [0]]}
method: variational
step: 0.01
duration: 2
output: {every: 50}
events: [{name: section, when: q1x}]
ensemble:
  product:
    "initial.omega[0][0]": {from: -3, to: 3, count: $((members / 4))}
    "initial.omega[1][0]": [0, 1, 3000, 2]
END
cat > tables.py << END
# What an archive has of its members, as one digest: rows, events, failures, columns.
import hashlib, sqlite3, sys
d, h = sqlite3.connect(sys.argv[1]), hashlib.sha256()
for query in ("select first, n, rows from blocks order by first", "select * from failed order by member",
              "select * from events", "select * from columns"):
    if "blocks" in query:
        h.update(b"".join(row[2] for row in d.execute(query)))
    else:
        h.update(repr(d.execute(query).fetchall()).encode())
print(h.hexdigest())
END
digest() { python3 tables.py "$1"; }
# the number of members that are in archives of ranks
held() { for f in "$1"/*.rank-*.polhode; do python3 -c '
import sqlite3, sys
print(sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True).execute("select coalesce(sum(n), 0) from dealt").fetchone()[0])' "$f"; done |
    awk '{ n += $1 } END { print n + 0 }'; }
same() {
    test "$(digest "$1/s.polhode")" = "$want" || fail "$1: not the bytes of polhode sweep"
    cmp -s "$1/s.statistics.json" one/s.statistics.json || fail "$1: not its statistics"
}

set +e
"$polhode" sweep s.yaml -o one -q > one.log 2>&1
test $? = 1 || fail "a sweep of which members fail"
set -e
want=$(digest one/s.polhode)

# ---- three ranks, and one; some members fail, so the job ends with 1
for n in 3 1; do
    code=0
    mpirun -n $n "$mpi" sweep s.yaml -o "ranks$n" > log 2>&1 || code=$?
    test $code = 1 || fail "$n ranks: exit status $code: $(cat log)"
    grep -q "^$members of $members members, 5 rows each, by $n rank" log || fail "$n ranks: summary: $(cat log)"
    grep -q "$((members / 4)) members failed" log || fail "$n ranks: failures: $(cat log)"
    test "$(held "ranks$n")" = "$members" || fail "$n ranks: members are missing, or run twice"
    "$polhode" merge "ranks$n" > log
    same "ranks$n"
done
test ! -e ranks3/s.rank-0.polhode -a -e ranks3/s.rank-2.polhode || fail "rank 0 only deals"
"$polhode" info ranks3/s.rank-1.polhode > log || fail "info of the archive of a rank"

# ---- nothing is missing: nothing is run
mpirun -n 3 "$mpi" sweep s.yaml -o ranks3 > log 2>&1 || fail "a job with nothing to do: $(cat log)"
grep -q throughput log && fail "members were run again"

# ---- a rank is killed; what is left runs with other numbers of ranks. A job that ended before it was killed is repeated with longer members.
# kill_ranks DURATION: three jobs, of which each loses a rank as soon as it has written members; 1 if one ended first
kill_ranks() {
    sed "s/^duration: 2/duration: $1/" s.yaml > long.yaml
    rm -rf killed
    mkdir killed
    before=0
    for n in 3 4 2; do
        mpirun -n $n "$mpi" sweep long.yaml -o killed --snapshot-interval 0 > log 2>&1 &
        job=$!
        while kill -0 "$job" 2> /dev/null && test "$(held killed 2> /dev/null)" -le "$before"; do sleep 0.1; done
        # the youngest process of the job that is not rank 0
        victim=$(ps -o pid=,args= --ppid "$job" 2> /dev/null | grep polhode-mpi | tail -n 1 | awk '{ print $1 }')
        if test -z "$victim" || ! kill -9 "$victim" 2> /dev/null; then
            wait "$job" || true
            return 1
        fi
        wait "$job" && fail "$n ranks: one was killed, and the job succeeded: $(cat log)"
        now=$(held killed)
        test "$now" -ge "$before" || fail "$n ranks: $now members are held, after $before"
        test "$now" -lt "$members" || return 1
        before=$now
    done
}
kill_ranks 40 || kill_ranks 160 || kill_ranks 640 || fail "no job could be killed: $(cat log)"
test "$before" -gt 0 || fail "no member was held before the kills"
test "$before" -lt "$members" || fail "nothing was left to be run again"
"$polhode" merge killed > log 2>&1 && fail "archives with members missing were joined"
grep -q "member [0-9]* being the first; polhode-mpi sweep runs them" log || fail "merge: $(cat log)"
mpirun -n 3 "$mpi" sweep long.yaml -o killed > log 2>&1 || test $? = 1
grep -q "^$members of $members members" log || fail "the job after the kills: $(cat log)"
test "$(held killed)" = "$members" || fail "after kills: members are missing, or run twice"
"$polhode" merge killed > log
"$polhode" sweep long.yaml -o whole -q > log 2>&1 || test $? = 1
test "$(digest killed/long.polhode)" = "$(digest whole/long.polhode)" || fail "after kills: other bytes"

# ---- shards of ranks; --force
for k in 1 2; do mpirun -n 2 "$mpi" sweep s.yaml -o shards --shard $k/2 -q > log 2>&1 || test $? = 1; done
"$polhode" merge shards > log
same shards
mkdir t
sed 's/^step: 0.01/step: 0.02/' s.yaml > t/s.yaml
mpirun -n 2 "$mpi" sweep t/s.yaml -o ranks3 > log 2>&1 && fail "archives of another scenario were continued"
grep -q "polhode-mpi: .*is another sweep's" log || fail "another scenario: $(cat log)"
mpirun -n 2 "$mpi" sweep s.yaml -o ranks3 --force -q > log 2>&1 || test $? = 1
test ! -e ranks3/s.rank-2.polhode || fail "--force has left the archive of a rank"
test "$(held ranks3)" = "$members" || fail "--force: members are missing, or run twice"

# ---- errors name the rank: rank 2 finds its archive being written by another process
mkdir locked
sed "s/^duration: 2/duration: 640/" s.yaml > long.yaml # so that it is not at its end before the other one is refused
mpirun -n 2 "$mpi" sweep long.yaml -o locked -q > log2 2>&1 &
job=$!
for i in 1 2 3 4 5 6 7 8 9 10; do test -e locked/long.rank-1.polhode && break; sleep 0.3; done
code=0
mpirun -n 3 "$mpi" sweep long.yaml -o locked > log 2>&1 || code=$?
kill -TERM $job
wait $job || true
test $code = 3 || fail "an archive that is being written: exit status $code: $(cat log)"
grep -q "polhode-mpi: rank 1: .*is writing this archive" log || fail "the rank is not named: $(cat log)"
mpirun -n 2 "$mpi" sweep nothing.yaml > log 2>&1 && fail "no scenario"
test "$(grep -c 'nothing.yaml' log)" = 1 || fail "an error of all ranks is said once: $(cat log)"
