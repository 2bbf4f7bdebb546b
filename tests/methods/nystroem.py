# SPDX-License-Identifier: BSD-3-Clause
"""The order of each splitting of T + V, from the digits that stand in integrators/rotor-splitting/nystroem.c.

The product of exponentials exp(b_1 V) exp(a_1 T) ... is multiplied out as a series in words of T and V, which do not
commute; its logarithm is an element of the free Lie algebra, whose terms of the degrees 2 ... order must be 0, but for
what [V, [V, [V, T]]] = 0 leaves free: multiples of [V, [V, [V, T]]] and of its brackets with T and V. Up to degree 6 with
at most two T these are, by the number of T and V in a word,
    (1, n)   all, n > 2,
    (2, 3)   [T, [V, [V, [V, T]]]], a multiple of which is taken off,
and symmetric products have no terms of even degree. Sixty digits; how many agree says how good the printed ones are.
"""
import re
import sys
from decimal import Decimal, getcontext

getcontext().prec = 60


def times_exponential(series, letter, x, degree):
    """series exp(x letter)"""
    product = {}
    for word, c in series.items():
        term, power = c, 0
        while len(word) + power <= degree:
            key = word + letter * power
            product[key] = product.get(key, Decimal(0)) + term
            power += 1
            term = term * x / power
    return product


def times(p, q, degree):
    product = {}
    for v, c in p.items():
        for w, d in q.items():
            if len(v) + len(w) <= degree:
                product[v + w] = product.get(v + w, Decimal(0)) + c * d
    return product


def logarithm(series, degree):
    rest = {word: c for word, c in series.items() if word}
    power, total = {"": Decimal(1)}, {}
    for k in range(1, degree + 1):
        power = times(power, rest, degree)
        for word, c in power.items():
            total[word] = total.get(word, Decimal(0)) + (-1) ** (k + 1) * c / k
    return total


def bracket(p, q):
    result = {}
    for v, c in p.items():
        for w, d in q.items():
            result[v + w] = result.get(v + w, 0) + c * d
            result[w + v] = result.get(w + v, 0) - c * d
    return result


T, V = {"T": 1}, {"V": 1}
ZERO = bracket(T, bracket(V, bracket(V, bracket(V, T))))


def left(log, degree):
    """The largest coefficient of this degree that matters."""
    free = log.get("TVVVT", Decimal(0)) / ZERO["TVVVT"] if degree == 5 else Decimal(0)
    worst = Decimal(0)
    for word, c in log.items():
        if len(word) == degree and not (word.count("T") == 1 and degree > 3):
            worst = max(worst, abs(c - free * ZERO.get(word, 0)))
    return worst


def main(table, source):
    text = open(source, encoding="utf-8").read()
    arrays = {
        name: [Decimal(number) for number in re.findall(r"-?\d+\.\d+", body)]
        for name, body in re.findall(r"double (\w+)\[\] = \{([^}]*)\};", text)
    }
    rows = re.findall(r"X\((\w+),\s*(\d+),\s*(\d+)\)", open(table, encoding="utf-8").read())
    wrong = [] if len(rows) == 3 and 2 * len(rows) == len(arrays) else [f"{len(rows)} rows, {len(arrays)} arrays"]
    for name, order, drifts in rows:
        order, drifts = int(order), int(drifts)
        half_a, half_b = arrays[name + "_a"], arrays[name + "_b"]
        series = {"": Decimal(1)}
        for i in range(drifts + 1):
            series = times_exponential(series, "V", half_b[min(i, drifts - i)], order + 1)
            if i < drifts:
                series = times_exponential(series, "T", half_a[min(i, drifts - 1 - i)], order + 1)
        log = logarithm(series, order + 1)
        kept = max(abs(log["T"] - 1), abs(log["V"] - 1), *(left(log, degree) for degree in range(2, order + 1)))
        after = max(abs(c) for word, c in log.items() if len(word) == order + 1 and word.count("V") <= 2)
        print(f"{name:10} {drifts} drifts: order {order} but for {kept:.1e}, then {after:.1e}")
        if not kept < Decimal("1e-38"):
            wrong.append(f"{name}: not of order {order}, by {kept:.1e}")
        if not after > Decimal("1e-9"):
            wrong.append(f"{name}: of a higher order than {order}")
    for line in wrong:
        print("FAIL:", line)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
