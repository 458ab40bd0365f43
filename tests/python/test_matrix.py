"""Completion of matrices and coordinates by kernels, against NumPy, scikit-learn and the command."""

import os
import tempfile
import unittest

import numpy as np

import gssl

try:
    import scipy.sparse
    from sklearn.decomposition import PCA, KernelPCA
except ImportError:
    raise SystemExit(print("skipped: scikit-learn or SciPy is not there"))


def low_rank(rows, columns, rank, share, seed=3):
    """A matrix of that rank, and the same with NaN where a cell is not known."""
    rng = np.random.default_rng(seed)
    whole = rng.normal(size=(rows, rank)) @ rng.normal(size=(rank, columns))
    return whole, np.where(rng.random((rows, columns)) < share, whole, np.nan)


class Complete(unittest.TestCase):
    def test_low_rank_comes_back(self):
        whole, known = low_rank(60, 40, 2, 0.6)
        fit = gssl.complete(known, "soft-impute", lambda_=0.05, path=20)
        hidden = np.isnan(known)
        error = np.sqrt(np.mean((fit.matrix() - whole)[hidden] ** 2))
        self.assertLess(error, 0.02 * whole.std())
        self.assertLess(fit.report["duality_gap"][-1], 1e-6)
        np.testing.assert_allclose(fit.predict([5, 7], [1, 2]), fit.matrix()[[5, 7], [1, 2]])

    def test_sources_are_the_same(self):
        _, known = low_rank(20, 15, 2, 0.5)
        r, c = np.nonzero(~np.isnan(known))
        sparse = scipy.sparse.coo_array((known[r, c], (r, c)), shape=known.shape)
        names = [(f"row {a}", f"column {b}", known[a, b]) for a, b in zip(r, c)]
        dense = gssl.complete(known, rank=2, seed=7)
        np.testing.assert_array_equal(gssl.complete(sparse, rank=2, seed=7).matrix(), dense.matrix())
        named = gssl.complete(names, rank=2, seed=7)
        self.assertEqual(set(named.rows), {f"row {a}" for a in r})
        self.assertIn("rank=2", named.method)
        by_function = gssl.learners.complete_als(known, rank=2, seed=7)
        np.testing.assert_array_equal(by_function.matrix(), dense.matrix())

    def test_biases_alone_are_least_squares(self):
        _, known = low_rank(6, 5, 1, 0.7)
        r, c = np.nonzero(~np.isnan(known))
        design = np.zeros((len(r), 11))
        design[np.arange(len(r)), r] = design[np.arange(len(r)), 6 + c] = 1.0
        mean = known[r, c].mean()
        want = np.linalg.solve(design.T @ design + 2.0 * np.eye(11), design.T @ (known[r, c] - mean))
        fit = gssl.complete(known, rank=0, bias_lambda=2.0, tolerance=0.0, sweeps=2000)
        np.testing.assert_allclose(np.r_[fit.row_bias, fit.column_bias], want[:11], atol=1e-8)

    def test_refused(self):
        for wrong in (np.full((3, 3), np.nan), np.zeros(3), [(1, 2)]):
            with self.assertRaises(gssl.Error):
                gssl.complete(wrong)
        with self.assertRaises(gssl.Error):
            gssl.complete(np.eye(3), "als", colour=3)
        with self.assertRaises(gssl.Error):
            gssl.complete(np.eye(3), "guess")
        with self.assertRaises(KeyError):
            gssl.complete(np.eye(3), rank=1).predict([9], [0])


class Embed(unittest.TestCase):
    def setUp(self):
        self.points, _, _ = gssl.read_points("datasets/wine/points.csv", label_column="class")
        self.points = (self.points - self.points.mean(0)) / self.points.std(0)

    def alike(self, ours, theirs):
        """But for the sign of each direction."""
        np.testing.assert_allclose(np.abs(ours), np.abs(theirs), atol=1e-6)

    def test_principal_components(self):
        found = gssl.embed(self.points, 3, kernel="linear")
        pca = PCA(3).fit(self.points)
        self.alike(found.coordinates, pca.transform(self.points))
        self.assertAlmostEqual(found.variance_held, pca.explained_variance_ratio_.sum(), places=9)

    def test_kernel_and_other_rows(self):
        found = gssl.embed(self.points[:120], 4, kernel="gaussian(beta=0.1)", rows=self.points[120:])
        theirs = KernelPCA(4, kernel="rbf", gamma=0.1).fit(self.points[:120])
        self.alike(found.coordinates, theirs.transform(self.points[120:]))

    def test_graph(self):
        graph = gssl.Graph("datasets/iris/edges.tsv")
        found = gssl.embed(graph, 2, kernel="regularized(epsilon=1)")
        dense = graph.to_scipy().toarray()
        gram = np.linalg.inv(np.diag(dense.sum(1)) - dense + np.eye(len(dense)))
        center = np.eye(len(gram)) - 1.0 / len(gram)
        np.testing.assert_allclose(found.eigenvalues,
                                   np.linalg.eigvalsh(center @ gram @ center)[::-1][:2], rtol=1e-6)
        with self.assertRaises(gssl.Error):
            gssl.embed(graph, rows=self.points)


class Tables(unittest.TestCase):
    def read(self, text, name="edges.csv", **options):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
            graph = gssl.Graph.read(path, **options)
        return {(str(graph.names[u]), str(graph.names[v])): w for u, v, w in
                zip(*scipy.sparse.find(scipy.sparse.triu(graph.to_scipy())))}

    def test_columns_and_marks(self):
        text = "a note\n7;ann;bob;1,5\n8;bob;cyd;2,5\n"
        self.assertEqual(self.read(text, delimiter=";", decimal=",", skip=1, columns=[2, 3, 4]),
                         {("ann", "bob"): 1.5, ("bob", "cyd"): 2.5})

    def test_layers(self):
        text = "ann bob likes\nbob cyd knows\n"
        self.assertEqual(self.read(text, "e.txt", layer_weights={"likes": 2, "knows": 0.5}),
                         {("ann", "bob"): 2.0, ("bob", "cyd"): 0.5})
        with self.assertRaisesRegex(gssl.Error, r"knows.*\(layer_weights=\)"):
            self.read(text, "e.txt", layer_weights={"likes": 2})

    def test_errors_name_keywords(self):
        with self.assertRaisesRegex(gssl.Error, r"^columns: column 1 is given twice \(columns=\)$"):
            self.read("a b\n", columns=[1, 1])
        with self.assertRaisesRegex(gssl.Error, r"labels a graph \(gssl\.label\)"):
            gssl.cluster(gssl.Graph([(0, 1), (1, 2)]), 2, method="harmonic")


if __name__ == "__main__":
    unittest.main()
