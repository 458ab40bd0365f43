#!/usr/bin/python3
"""Writes evaluation.txt: random cases of metrics and tests, with the answers of scikit-learn and SciPy.

    cd tests/reference && /usr/bin/python3 evaluation.py

A case is a line `case KIND` and lines `NAME NUMBER…`. The seed is fixed: with scikit-learn 1.2.1, SciPy 1.10.1
and NumPy 1.24.2 (Debian 12) the file comes out as it is here.
"""
import itertools
import warnings

import numpy as np
from scipy import stats
from sklearn import calibration, metrics

rng = np.random.default_rng(20)
out = open("evaluation.txt", "w")


def write(kind, **lists):
    out.write(f"case {kind}\n")
    for name, numbers in lists.items():
        out.write(" ".join([name, *(f"{x:.17g}" for x in np.ravel(np.asarray(numbers, float)))]) + "\n")


def of_classes(truth, answer, k):
    seen = sorted((set(truth) | set(answer)) - {-1})
    per_class = metrics.precision_recall_fscore_support(truth, answer, labels=range(k), zero_division=0)
    lists = {"counts": [[sum((truth == t) & (answer == a)) for a in [*range(k), -1]] for t in range(k)],
             "accuracy": metrics.accuracy_score(truth, answer),
             "balanced": metrics.recall_score(truth, answer, labels=sorted(set(truth)), average="macro"),
             "matthews": metrics.matthews_corrcoef(truth, answer), "per_class": np.transpose(per_class[:3])}
    for average in ("macro", "weighted", "micro"):
        lists[average] = metrics.precision_recall_fscore_support(
            truth, answer, labels=seen, average=average, zero_division=0)[:3]
    write("classes", k=k, truth=truth, answer=answer, **lists)


def classes():
    for k, n in [(2, 30), (3, 40), (5, 40), (7, 25), (3, 5)]:
        truth = rng.integers(0, k, n)
        answer = np.where(rng.random(n) < 0.6, truth, rng.integers(-1, k, n))
        of_classes(truth, answer, k)
    zeros = np.zeros(6, int)
    of_classes(zeros, zeros, 2)  # one class, all right
    of_classes(zeros, zeros - 1, 2)  # no answer at all
    of_classes(zeros, zeros + 1, 2)  # one class, all wrong
    of_classes(np.array([0, 1, 0, 1]), zeros[:4], 3)  # one answer for everything
    of_classes(np.array([2]), np.array([2]), 3)


def values():
    for n in (2, 10, 40):
        truth = rng.normal(size=n).round(2)
        value = (truth + rng.normal(size=n) * 0.5).round(2)
        cases = [(truth, value), (np.full(n, 2.0), value), (np.full(n, 2.0), np.full(n, 2.0)), (truth, truth)]
        for a, b in cases:
            write("values", truth=a, value=b, rmse=np.sqrt(metrics.mean_squared_error(a, b)),
                  mae=metrics.mean_absolute_error(a, b), r2=metrics.r2_score(a, b))


def probabilities():
    for k, n, digits in [(2, 30, 6), (2, 30, 1), (3, 30, 6), (4, 20, 1), (6, 12, 2), (2, 3, 6)]:
        truth = rng.integers(0, k, n)
        shares = rng.dirichlet(np.ones(k) * 0.5, n).round(digits)
        shares[shares.sum(axis=1) == 0] = 1.0
        if digits == 1:
            shares[0] = np.eye(k)[(truth[0] + 1) % k]  # sure, and wrong
        shares = shares / shares.sum(axis=1, keepdims=True)
        areas = [metrics.roc_auc_score(truth == c, shares[:, c]) for c in range(k) if 0 < sum(truth == c) < n]
        write("probabilities", k=k, truth=truth, shares=shares,
              log_loss=metrics.log_loss(truth, shares, labels=range(k)),
              brier=np.mean(np.sum((shares - np.eye(k)[truth]) ** 2, axis=1)),
              auc=np.mean(areas) if areas else np.nan)
    truth = np.ones(8, int)  # no negative row
    shares = np.repeat([[0.25, 0.75]], 8, axis=0)
    write("probabilities", k=2, truth=truth, shares=shares, log_loss=metrics.log_loss(truth, shares, labels=[0, 1]),
          brier=2 * metrics.brier_score_loss(truth, shares[:, 1]), auc=np.nan)


def reliability():
    for n in (15, 60, 150):
        confidence = rng.permutation((np.arange(n) + rng.random(n) * 0.9) / n)  # distinct, off the borders
        right = rng.random(n) < confidence ** 2
        for strategy in ("uniform", "quantile"):
            share, mean = calibration.calibration_curve(right, confidence, n_bins=15, strategy=strategy)
            edges = np.linspace(0, 1, 16)
            counts = np.histogram(confidence, edges)[0] if strategy == "uniform" else np.full(15, n // 15)
            counts = counts[counts > 0]
            write(f"reliability_{strategy}", confidence=confidence, right=right, mean=mean, share=share,
                  counts=counts, ece=np.sum(counts * np.abs(share - mean)) / n)


def exact_wilcoxon(differences):
    """Every choice of signs, shared ranks included."""
    d = differences[differences != 0]
    ranks = stats.rankdata(np.abs(d))
    smaller = min(ranks[d > 0].sum(), ranks[d < 0].sum())
    sums = [np.dot(signs, ranks) for signs in itertools.product((0, 1), repeat=len(d))]
    return smaller, min(1.0, 2 * np.mean(np.array(sums) <= smaller))


def pairs():
    for n in (2, 5, 12, 20, 45, 80):
        a = rng.normal(size=n).round(4)
        b = (a + rng.normal(0.2, 0.5, size=n)).round(4)
        t = stats.ttest_rel(a, b)
        reach = stats.t.ppf(0.975, n - 1)  # of which SciPy knows eight digits: a step of Newton's method
        reach -= (stats.t.cdf(reach, n - 1) - 0.975) / stats.t.pdf(reach, n - 1)
        low, high = np.mean(a - b) + np.array([-1, 1]) * reach * np.std(a - b, ddof=1) / np.sqrt(n)
        extra = 0.25
        corrected = np.mean(a - b) / np.sqrt((1 / n + extra) * np.var(a - b, ddof=1))
        rank = stats.wilcoxon(a, b, mode="exact" if n <= 50 else "approx", correction=False)
        write("pairs", a=a, b=b, t=t.statistic, p=t.pvalue, low=low, high=high, extra=extra, corrected=corrected,
              p_corrected=2 * stats.t.sf(abs(corrected), n - 1), rank=rank.statistic, p_rank=rank.pvalue)
    for n in (3, 8, 12):  # few values: differences that are equal, and some that are 0
        a, b = rng.integers(0, 4, n), rng.integers(0, 4, n)
        rank, p = exact_wilcoxon(a - b)
        write("tied_pairs", a=a, b=b, rank=rank, p_rank=p)
    a, b = rng.integers(0, 9, 90), rng.integers(0, 9, 90)
    rank = stats.wilcoxon(a, b, mode="approx", correction=False)
    write("tied_pairs", a=a, b=b, rank=rank.statistic, p_rank=rank.pvalue)


def counts():
    for _ in range(25):
        n = int(rng.integers(1, 60))
        k, share = int(rng.integers(0, n + 1)), rng.choice([0.5, 0.1, 0.9, 0.37])
        test = stats.binomtest(k, n, share)
        wilson = test.proportion_ci(0.95, "wilson")
        # binomtest finds its interval to eight digits only.
        low = stats.beta.ppf(0.025, k, n - k + 1) if k > 0 else 0.0
        high = stats.beta.ppf(0.975, k + 1, n - k) if k < n else 1.0
        write("binomial", successes=k, trials=n, share=share, p=test.pvalue, exact=(low, high), wilson=wilson)
    for b, c in [(0, 1), (1, 0), (5, 5), (0, 12), (3, 9), (30, 18)]:
        chi = max(0, abs(b - c) - 1) ** 2 / (b + c)
        exact = stats.binomtest(min(b, c), b + c, 0.5).pvalue
        write("mcnemar", b=b, c=c, p=exact, chi=chi, p_chi=stats.chi2.sf(chi, 1))


def partitions():
    for n, i, j in [(30, 3, 4), (50, 6, 2), (20, 1, 4), (20, 1, 1), (9, 9, 3), (4, 2, 2)]:
        a, b = rng.integers(0, i, n), rng.integers(0, j, n)
        if i == n:
            a = np.arange(n)  # each alone
        write("partitions", a=a, b=b, nmi=metrics.normalized_mutual_info_score(a, b),
              ari=metrics.adjusted_rand_score(a, b))


warnings.simplefilter("ignore")
for part in (classes, values, probabilities, reliability, pairs, counts, partitions):
    part()
out.close()
