#!/usr/bin/env python3
"""Exact least squares for polynomial regressions of the NIST StRD collection: python3 nist.py > nist.json

Data: NIST Statistical Reference Datasets, linear regression (Filip, Wampler3, Wampler4, Wampler5), as printed there. Everything is
computed with rational numbers from the printed decimals; only the square roots and the final rounding are floating point. The
certified values of NIST agree with these to all their digits (asserted below)."""
import json
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 50

FILIP = """
0.8116 -6.860120914
0.9072 -4.324130045
0.9052 -4.358625055
0.9039 -4.358426747
0.8053 -6.955852379
0.8377 -6.661145254
0.8667 -6.355462942
0.8809 -6.118102026
0.7975 -7.115148017
0.8162 -6.815308569
0.8515 -6.519993057
0.8766 -6.204119983
0.8885 -5.853871964
0.8859 -6.109523091
0.8959 -5.79832982
0.8913 -5.482672118
0.8959 -5.171791386
0.8971 -4.851705903
0.9021 -4.517126416
0.909 -4.143573228
0.9139 -3.709075441
0.9199 -3.499489089
0.8692 -6.300769497
0.8872 -5.953504836
0.89 -5.642065153
0.891 -5.031376979
0.8977 -4.680685696
0.9035 -4.329846955
0.9078 -3.928486195
0.7675 -8.56735134
0.7705 -8.363211311
0.7713 -8.107682739
0.7736 -7.823908741
0.7775 -7.522878745
0.7841 -7.218819279
0.7971 -6.920818754
0.8329 -6.628932138
0.8641 -6.323946875
0.8804 -5.991399828
0.7668 -8.781464495
0.7633 -8.663140179
0.7678 -8.473531488
0.7697 -8.247337057
0.77 -7.971428747
0.7749 -7.676129393
0.7796 -7.352812702
0.7897 -7.072065318
0.8131 -6.774174009
0.8498 -6.478861916
0.8741 -6.159517513
0.8061 -6.835647144
0.846 -6.53165267
0.8751 -6.224098421
0.8856 -5.910094889
0.8919 -5.598599459
0.8934 -5.290645224
0.894 -4.974284616
0.8957 -4.64454848
0.9047 -4.290560426
0.9129 -3.885055584
0.9209 -3.408378962
0.9219 -3.13200249
0.7739 -8.726767166
0.7681 -8.66695597
0.7665 -8.511026475
0.7703 -8.165388579
0.7702 -7.886056648
0.7761 -7.588043762
0.7809 -7.283412422
0.7961 -6.995678626
0.8253 -6.691862621
0.8602 -6.392544977
0.8809 -6.067374056
0.8301 -6.684029655
0.8664 -6.378719832
0.8834 -6.065855188
0.8898 -5.752272167
0.8964 -5.132414673
0.8963 -4.811352704
0.9074 -4.098269308
0.9119 -3.66174277
0.9228 -3.2644011
"""
WAMPLER = {
    "Wampler3": [760, -2042, 2111, -1684, 3888, 1858, 11379, 17560, 39287, 64382, 113159, 175108, 273291, 400186, 581243,
                 811568, 1121004, 1506550, 2002767, 2611612, 3369180],
    "Wampler4": [75901, -204794, 204863, -204436, 253665, -200894, 214131, -185192, 221249, -138370, 315911, -27644,
                 455253, 197434, 783995, 608816, 1370781, 1303798, 2205519, 2408860, 3444321],
    "Wampler5": [7590001, -20479994, 20480063, -20479636, 25231365, -20476094, 20489331, -20460392, 18417449, -20413570,
                 20591111, -20302844, 18651453, -20077766, 21059195, -19666384, 26348481, -18971402, 22480719, -17866340,
                 10958421],
}
CERTIFIED = {"Filip": (-1467.48961422980, 298.084530995537, 0.00334801051324544, 0.996727416185620),
             "Wampler3": (1.0, 2152.32624678170, 2360.14502379268, 0.999995559025820),
             "Wampler4": (1.0, 215232.624678170, 236014.502379268, 0.957478440825662),
             "Wampler5": (1.0, 21523262.4678170, 23601450.2379268, 0.224668921574940e-2)}


def inverse(matrix):
    n = len(matrix)
    rows = [list(row) + [Fraction(int(i == j)) for j in range(n)] for i, row in enumerate(matrix)]
    for i in range(n):
        pivot = next(r for r in range(i, n) if rows[r][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        scale = rows[i][i]
        rows[i] = [v / scale for v in rows[i]]
        for r in range(n):
            if r != i and rows[r][i] != 0:
                factor = rows[r][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    return [row[n:] for row in rows]


def root(value):
    return float((Decimal(value.numerator) / Decimal(value.denominator)).sqrt())


def fit(x, y, degree):
    n, p = len(x), degree + 1
    columns = [[v ** k for v in x] for k in range(p)]
    gram = [[sum(a * b for a, b in zip(columns[i], columns[j])) for j in range(p)] for i in range(p)]
    right = [sum(a * b for a, b in zip(columns[i], y)) for i in range(p)]
    inv = inverse(gram)
    beta = [sum(inv[i][j] * right[j] for j in range(p)) for i in range(p)]
    residuals = [y[i] - sum(beta[k] * columns[k][i] for k in range(p)) for i in range(n)]
    sse = sum(e * e for e in residuals)
    mean = sum(y) / n
    sst = sum((v - mean) ** 2 for v in y)
    variance = sse / (n - p)
    return {"estimates": [float(b) for b in beta], "se": [root(variance * inv[k][k]) for k in range(p)],
            "sigma": root(variance), "sse": float(sse), "sst": float(sst), "r2": float(1 - sse / sst),
            "f": float((sst - sse) / degree / variance) if variance else None}


def dataset(name, x, y, degree):
    actual = fit(x, y, degree)
    low, high = min(x), max(x)
    center, half = (low + high) / 2, (high - low) / 2
    coded = fit([(v - center) / half for v in x], y, degree)
    certified = CERTIFIED[name]
    found = (actual["estimates"][0], actual["se"][0], actual["sigma"], actual["r2"])
    assert all(abs(a - b) <= 1e-13 * abs(b) for a, b in zip(found, certified)), (name, found)
    return {"name": name, "degree": degree, "x": [float(v) for v in x], "y": [float(v) for v in y], "actual": actual,
            "coded": coded}


def main():
    pairs = [tuple(Fraction(part) for part in line.split()) for line in FILIP.strip().splitlines()]
    sets = [dataset("Filip", [p[1] for p in pairs], [p[0] for p in pairs], 10)]
    for name, values in WAMPLER.items():
        sets.append(dataset(name, [Fraction(i) for i in range(21)], [Fraction(v) for v in values], 5))
    print(json.dumps({"source": "NIST StRD, solved exactly by nist.py", "datasets": sets}, indent=1))


main()
