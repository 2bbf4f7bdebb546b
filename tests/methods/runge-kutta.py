# SPDX-License-Identifier: BSD-3-Clause
"""The orders of rk8 and of its error estimates from the digits that stand in integrators/runge-kutta/rk8-table.h: the conditions of all
rooted trees.

A Runge-Kutta method is of order p where sum_i b_i Phi_i(t) = 1 / gamma(t) for every rooted tree t of at most p vertices
(Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, theorem II.2.13). A tree is the sorted tuple of the
trees that hang on its root.
"""
import re
import sys
from decimal import Decimal, getcontext
from functools import lru_cache
from math import prod

getcontext().prec = 60


def forests(vertices, bound):
    """Sorted tuples of trees with that many vertices in all, none after `bound` in the order of (size, tree)."""
    if vertices == 0:
        yield ()
    for size in range(1, vertices + 1):
        for tree in trees(size):
            if bound is None or (size, tree) <= bound:
                for rest in forests(vertices - size, (size, tree)):
                    yield (tree,) + rest


@lru_cache(maxsize=None)
def trees(vertices):
    return tuple(forests(vertices - 1, None))


def vertices_of(tree):
    return 1 + sum(map(vertices_of, tree))


def gamma(tree):
    return vertices_of(tree) * prod(map(gamma, tree))


def main(header):
    text = open(header, encoding="utf-8").read()
    rows = re.findall(r"X\(\s*(\d+),\s*(\d+),\s*(-?[\d.]+e?-?\d*)\)", text)
    words = re.search(r"define PH_RK8_NODES((?:[^\n]*\\\n)*[^\n]*)", text)[1].replace("\\", "").split(",")
    nodes = [Decimal(w.split("/")[0]) / Decimal((w + "/1").split("/")[1]) for w in map(str.strip, words)]
    a = {(int(i), int(j)): Decimal(number) for i, j, number in rows}
    stages = max(j for _, j in a)
    steps = range(1, stages + 1)

    @lru_cache(maxsize=None)
    def phi(tree):
        """By stages."""
        below = [[sum(a.get((i, j), 0) * f[j - 1] for j in steps) for i in steps] for f in map(phi, tree)]
        return [prod((b[i - 1] for b in below), start=Decimal(1)) for i in steps]

    def miss(vertices, b=lambda i: a.get((stages + 1, i), 0)):
        return max(abs(sum(b(i) * phi(tree)[i - 1] for i in steps) - Decimal(1) / gamma(tree)) for tree in trees(vertices))

    counts = [len(trees(n)) for n in range(1, 10)]
    kept, left = max(map(miss, range(1, 9))), miss(9)
    lower = {5: lambda i: a.get((13, i), 0) - a.get((14, i), 0), 3: lambda i: a.get((15, i), 0)}  # the weights of these orders
    explicit = all(j < i for i, j in a)
    print(f"{stages} stages, {sum(counts[:8])} conditions: order 8 but for {kept:.1e}, then {left:.1e}")
    wrong = [] if len(nodes) == stages else [f"{len(nodes)} nodes"]
    for i, node in enumerate(nodes, 1):
        if not abs(sum(a.get((i, j), 0) for j in steps) - node) < Decimal("1e-26"):
            wrong.append(f"node {i} is not the sum of its row")
    if counts != [1, 1, 2, 4, 9, 20, 48, 115, 286]:  # Cayley's numbers
        wrong.append(f"trees by vertices: {counts}")
    if stages != 12 or not explicit:
        wrong.append(f"{stages} stages, explicit: {explicit}")
    if not kept < Decimal("1e-25"):  # thirty printed digits of coefficients up to 43
        wrong.append(f"not of order 8, by {kept:.1e}")
    if not left > Decimal("1e-9"):
        wrong.append("of a higher order than 8")
    for order, weights in lower.items():
        fine, rest = max(miss(n, weights) for n in range(1, order + 1)), miss(order + 1, weights)
        print(f"  estimate: order {order} but for {fine:.1e}, then {rest:.1e}")
        if not (fine < Decimal("1e-25") and rest > Decimal("1e-6")):
            wrong.append(f"the estimate is not of order {order}")
    for line in wrong:
        print("FAIL:", line)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
