# SPDX-License-Identifier: BSD-3-Clause
"""The order of each composition, from the digits that stand in integrators/shared/compositions.c (listed in .h).

A symmetric method is exp(h Y1 + h^3 Y3 + h^5 Y5 + ...) with Y1 the exact flow's and the others its errors, which
fulfil no relation. A composition is of order p where the product of its stages has, for every word in the Y of
degree up to p, the coefficient that exp(h Y1) has. Sixty digits; how many agree says how good the printed ones are.
"""
import re
import sys
from decimal import Decimal, getcontext
from math import factorial

getcontext().prec = 60


def words(degree):
    if degree == 0:
        return [()]
    return [(odd,) + rest for odd in range(1, degree + 1, 2) for rest in words(degree - odd)]


def product_of(gammas, degree):
    everything = [w for d in range(degree + 1) for w in words(d)]
    product = {w: Decimal(w == ()) for w in everything}
    for gamma in gammas:
        product = {
            w: sum(product[w[:i]] * gamma ** sum(w[i:]) / factorial(len(w) - i) for i in range(len(w) + 1))
            for w in everything
        }
    return product


def miss(product, degree):
    """The largest error among the coefficients of this degree."""
    exact = {w: Decimal(1) / factorial(len(w)) if set(w) == {1} else Decimal(0) for w in words(degree)}
    return max(abs(product[w] - exact[w]) for w in exact)


def main(table, source):
    text = open(source, encoding="utf-8").read()
    arrays = {
        name: [Decimal(number) for number in re.findall(r"-?\d+\.\d+", body)]
        for name, body in re.findall(r"double (\w+)\[\] = \{([^}]*)\};", text)
    }
    rows = re.findall(r'X\((\w+),\s*"([\w-]+)",\s*(\d+),\s*(\d+),', open(table, encoding="utf-8").read())
    wrong = [] if len(rows) >= 7 and len(rows) == len(arrays) else [f"{len(rows)} rows, {len(arrays)} arrays"]
    for array, name, order, stages in rows:
        half, order, stages = arrays[array], int(order), int(stages)
        gammas = half + half[:-1][::-1]
        product = product_of(gammas, order + 1)
        kept = max(miss(product, degree) for degree in range(1, order + 1))
        left = miss(product, order + 1)
        largest = max(abs(gamma) for gamma in gammas)
        print(f"{name:22} {stages:2} stages, longest {largest:.3f}: order {order} but for {kept:.1e}, then {left:.1e}")
        if len(gammas) != stages or array != name.replace("-", "_"):
            wrong.append(f"{name}: {len(gammas)} stages, array {array}")
        if not kept < Decimal("1e-25"):
            wrong.append(f"{name}: not of order {order}, by {kept:.1e}")
        if not left > Decimal("1e-9"):
            wrong.append(f"{name}: of a higher order than {order}")
        if not largest < 1:
            wrong.append(f"{name}: a stage longer than the step")
    for line in wrong:
        print("FAIL:", line)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
