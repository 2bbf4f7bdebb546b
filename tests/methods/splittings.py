# SPDX-License-Identifier: BSD-3-Clause
"""The orders of each splitting of A + eps B, from the digits that stand in integrators/kepler-rotor/splittings.c.

With B(t) = exp(tA) B exp(-tA), the exact flow is exp(hA) times the ordered exponential of the integral of eps B(t), and
a splitting is the same with kicks b_i B(c_i h), c_i = a_1 + ... + a_i. Of the power eps^n the coefficient of h^p is a
sum over words B^(k_1) ... B^(k_n) in the derivatives of B at 0, which fulfil no relation, n + sum k = p:
    sum over i_1 <= ... <= i_n of b_i c_i^k / (multiplicities)!   against the integral over t_1 < ... < t_n < 1 of t^k.
Fifty digits; how many agree says how good the printed ones are.
"""
import re
import sys
from decimal import Decimal, getcontext
from math import factorial

getcontext().prec = 50


def words(length, total):
    if length == 1:
        return [(total,)]
    return [(k,) + rest for k in range(total + 1) for rest in words(length - 1, total - k)]


def exact(word):
    power, value = 0, Decimal(1)
    for k in word:
        power += k + 1
        value /= power
    return value


def of_kicks(nodes, weights, word):
    """The coefficient of the word, by the coefficients of its beginnings."""
    length = len(word)
    begun = [Decimal(1)] + [Decimal(0)] * length
    for c, b in zip(nodes, weights):
        after = list(begun)
        for i in range(length):
            term = begun[i]
            for j in range(i, length):
                term = term * b * (c ** word[j] if word[j] else 1) / (j + 1 - i)
                after[j + 1] += term
        begun = after
    return begun[length]


def miss(nodes, weights, length, degree):
    return max(abs(of_kicks(nodes, weights, w) - exact(w)) for w in words(length, degree - length))


def main(table, source):
    text = open(source, encoding="utf-8").read()
    arrays = {
        name: [Decimal(number) for number in re.findall(r"-?\d+\.\d+", body)]
        for name, body in re.findall(r"double (\w+)\[\] = \{([^}]*)\};", text)
    }
    pattern = r'X\((\w+),\s*"([\w-]+)",\s*(\d+),\s*(\d+),\s*(\d+),\s*(\d+)\)'
    rows = re.findall(pattern, open(table, encoding="utf-8").read())
    wrong = [] if len(rows) >= 8 and 2 * len(rows) == len(arrays) else [f"{len(rows)} rows, {len(arrays)} arrays"]
    for array, name, kicks, *orders in rows:
        kicks, orders = int(kicks), [int(p) for p in orders]
        half_a, half_b = arrays[array + "_a"], arrays[array + "_b"]
        drifts = [half_a[min(i, kicks - i)] for i in range(kicks + 1)]
        weights = [half_b[min(i, kicks - 1 - i)] for i in range(kicks)]
        nodes = [sum(drifts[: i + 1]) for i in range(kicks)]
        kept, left = abs(sum(drifts) - 1), []
        for power in (1, 2, 3, 4):
            order = orders[min(power, 3) - 1]
            for degree in range(power, order + 1):
                kept = max(kept, miss(nodes, weights, power, degree))
            if power < 4:
                left.append(miss(nodes, weights, power, order + 1))
        longest = max(abs(a) for a in drifts)
        print(f"{name:12} {kicks} kicks, longest drift {longest:.3f}: orders {orders} but for {kept:.1e}, then", end=" ")
        print(", ".join(f"{x:.1e}" for x in left))
        if array != name.replace("-", "_"):
            wrong.append(f"{name}: array {array}")
        if not kept < Decimal("1e-38"):
            wrong.append(f"{name}: not of orders {orders}, by {kept:.1e}")
        for power, x in enumerate(left, 1):
            # (kicks of eps^3 h^3 alone are (sum b)^3/6 in every splitting)
            if orders[power - 1] > 2 or power < 3:
                if not x > Decimal("1e-8"):
                    wrong.append(f"{name}: of a higher order than {orders[power - 1]} in eps^{power}")
        if not longest < 1:
            wrong.append(f"{name}: a drift longer than the step")
    for line in wrong:
        print("FAIL:", line)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
