# SPDX-License-Identifier: BSD-3-Clause
"""The coefficients of the multistep methods, from the fractions that stand in integrators/multistep/coefficients.c.

With L = log z, a method sum rho_j q_j = h^2 sum sigma_j a_j is of order p where rho(z) - L^2 sigma(z) begins with
(z - 1)^(p + 2); about its middle, z = exp(x), that is a power series in x. The velocity in the middle is a mean of
differences (exp(x) - 1)/x of the point and sums of accelerations, which is x^0 + O(x^K). All in exact fractions. The
roots of d are those of parasitic modes, and those of sigma are the multipliers': both have to be simple, on the unit circle.
"""
import re
import sys
from fractions import Fraction
from math import factorial


def times(a, b):
    product = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            product[i + j] += x * y
    return product


def moment(weights, power):
    """The coefficient of x^power of sum_t w exp(t x); weights: {t: w}."""
    return sum(w * t**power for t, w in weights.items()) / factorial(power)


def centred(coefficients):
    middle = Fraction(len(coefficients) - 1, 2)
    return {j - middle: w for j, w in enumerate(coefficients)}


def on_circle(coefficients):
    """Are all roots of this symmetric polynomial on the unit circle, and simple? On it, about its middle, it is a real
    function of the angle: signs at many points, with as many changes between 0 and pi as it has pairs of roots."""
    middle = len(coefficients) // 2
    changes, before = 0, 0
    for k in range(-999, 1000):
        c = Fraction(k, 1000)  # the cosine
        chebyshev = [Fraction(1), c]
        while len(chebyshev) <= middle:
            chebyshev.append(2 * c * chebyshev[-1] - chebyshev[-2])
        value = coefficients[middle] + 2 * sum(w * x for w, x in zip(coefficients[middle + 1:], chebyshev[1:]))
        changes += value * before < 0
        before = value or before
    return changes == middle


def number(text):
    top, _, bottom = text.strip().partition("/")
    return Fraction(top.strip().rstrip(".")) / Fraction(bottom.strip() or "1")


def main(source):
    text = open(source, encoding="utf-8").read()
    roots = [[Fraction(x) for x in group.split(",")] for group in
             re.findall(r"order \d+:  a = (-?[\d.]+(?:, -?[\d.]+)*)", text)]
    rows = re.findall(r"\{\.order = (\d+),\s*\.K = (\d+),(.*?)\}\}", text, re.S)
    wrong = [] if len(rows) == len(roots) == 3 else [f"{len(rows)} rows, {len(roots)} lists of roots"]
    for (order, K, body), a in zip(rows, roots):
        order, K = int(order), int(K)
        lists = {name: [number(x) for x in values.split(",")]
                 for name, values in re.findall(r"\.(\w+) = \{([^}]*)\}?", body + "}")}
        d = lists["d"] + lists["d"][-2::-1]
        sigma = [Fraction(0)] + lists["sigma"] + lists["sigma"][-2::-1] + [Fraction(0)]
        expected = [Fraction(1)]
        for value in a:
            expected = times(expected, [Fraction(1), 2 * value, Fraction(1)])
        rho = times(d, [Fraction(1), Fraction(-2), Fraction(1)])
        misses = [moment(centred(rho), k) - (moment(centred(sigma), k - 2) if k > 1 else 0) for k in range(order + 4)]
        half = K // 2
        shares = lists["share"] + [Fraction(1, 2)] + [1 - x for x in lists["share"][::-1]]
        mean = [b - a for a, b in zip([Fraction(0)] + shares, shares + [Fraction(1)])]
        bent = lists["bent"] + [Fraction(0)] + [-x for x in lists["bent"][::-1]]
        bent = [-x for x in bent]
        # points: differences of neighbours, over h; v = dq, so that q has one power less
        points = times(mean, [Fraction(-1), Fraction(1)])
        velocity = [moment(centred(points), k + 1) + (moment(centred(bent), k - 1) if k > 0 else 0) for k in range(K + 1)]
        print(f"order {order}: {K} steps, sigma(1) = {float(sum(sigma)):.4f}, error constant "
              f"{float(misses[order + 2] / sum(sigma)):.2e}; velocity {float(velocity[K]):.2e}")
        if len(rho) != K + 1 or len(sigma) != K + 1 or d != expected:
            wrong.append(f"order {order}: d is not the product over a = {a}")
        if not all(abs(value) < 1 for value in a) or len(set(a)) != len(a):
            wrong.append(f"order {order}: roots that are not simple and on the unit circle")
        if not on_circle(d) or not on_circle(sigma[1:-1]):
            wrong.append(f"order {order}: parasitic modes, or multipliers, grow by themselves")
        if any(misses[: order + 2]) or not misses[order + 2]:
            wrong.append(f"order {order}: another order")
        if velocity[0] != 1 or any(velocity[1:K]) or not velocity[K]:
            wrong.append(f"order {order}: another order of the velocity: {velocity}")
        if mean != [x / (2 * sum(d)) for x in times(d, [Fraction(1), Fraction(1)])]:
            wrong.append(f"order {order}: the mean velocity has other roots than d")
        if len(lists["share"]) != half - 1 or len(lists["bent"]) != half - 1:
            wrong.append(f"order {order}: {len(lists['share'])} shares")
    for line in wrong:
        print("FAIL:", line)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
