"""Eigenpairs, clusters, resistances, cuts, kernels, against NumPy and hand computation."""

import unittest

import numpy as np

import gssl

PATH = gssl.Graph((np.array([0, 1, 2]), np.array([1, 2, 3])), weights=[1.0, 2.0, 4.0])
LAPLACIAN = np.array([[1.0, -1, 0, 0], [-1, 3, -2, 0], [0, -2, 6, -4], [0, 0, -4, 4]])


class Network(unittest.TestCase):
    def test_spectrum(self):
        found = gssl.spectrum(PATH, 4, laplacian="combinatorial")
        np.testing.assert_allclose(found.values, np.linalg.eigvalsh(LAPLACIAN), atol=1e-9)
        np.testing.assert_allclose(LAPLACIAN @ found.vectors, found.vectors * found.values,
                                   atol=1e-6)
        self.assertEqual(found.zero_count, 1)

    def test_resistance(self):
        np.testing.assert_allclose(gssl.resistance(PATH).values, [1, 0.5, 0.25])
        np.testing.assert_allclose(gssl.resistance(PATH, [(0, 3), (1, 1)]).values, [1.75, 0],
                                   atol=1e-12)
        np.testing.assert_allclose(gssl.resistance(PATH, source=3).values, [1.75, 0.75, 0.25, 0])
        np.testing.assert_allclose(gssl.resistance(PATH, of="diagonal").values,
                                   np.diag(np.linalg.pinv(LAPLACIAN)))
        np.testing.assert_allclose(gssl.resistance(PATH, of="total").values,
                                   4 * np.trace(np.linalg.pinv(LAPLACIAN)))
        with self.assertRaises(gssl.Error):
            gssl.resistance(PATH, of="everything")

    def test_cuts(self):
        cut = gssl.min_cut(PATH, [0], [3])
        self.assertEqual((cut.value, cut.side.tolist()), (1.0, [True, False, False, False]))
        self.assertEqual(cut.report["flow"], cut.report["cut"])
        whole = gssl.min_cut(PATH)
        self.assertEqual((whole.value, whole.side.tolist()), (1.0, [True, False, False, False]))
        tied = gssl.min_cut(gssl.Graph([(0, 1), (1, 2)]), [0], [2])
        self.assertEqual(tied.tied.tolist(), [False, True, False])
        for wrong in (lambda: gssl.min_cut(PATH, [0]), lambda: gssl.min_cut(PATH, [0], [0])):
            with self.assertRaises(gssl.Error):
                wrong()

    def test_kernels(self):
        pseudoinverse = np.linalg.pinv(LAPLACIAN)
        np.testing.assert_allclose(gssl.kernel(PATH, columns=[2]).values[:, 0],
                                   pseudoinverse[:, 2], atol=1e-9)
        x = np.array([1.0, -1, 0, 2])
        np.testing.assert_allclose(gssl.kernel(PATH, "regularized", product=x, epsilon=0.5).values,
                                   np.linalg.solve(LAPLACIAN + 0.5 * np.eye(4), x), atol=1e-9)
        np.testing.assert_allclose(gssl.kernel(PATH, diagonal=True).values, np.diag(pseudoinverse))
        with self.assertRaises(gssl.Error):
            gssl.kernel(PATH)
        with self.assertRaises(gssl.Error):
            gssl.kernel(PATH, product=np.ones((3, 1)))

    def test_clusters(self):
        ring = gssl.Graph([(a, b) for k in (0, 4) for a in range(k, k + 4) for b in range(k, a)]
                          + [(3, 4)])
        found = gssl.cluster(ring, 2)
        first = [found.labels[ring.index([name])[0]] for name in range(8)]
        self.assertEqual(first, [first[0]] * 4 + [first[4]] * 4)
        self.assertNotEqual(first[0], first[4])
        with self.assertRaises(gssl.Error):
            gssl.cluster(ring, 0)

    def test_components(self):
        self.assertEqual(gssl.Graph([(0, 1), (2, 3)]).components().tolist(), [0, 0, 1, 1])

    def test_bounds(self):
        self.assertEqual(gssl.bound("pac-finite", epsilon=0.1, delta=0.05, hypotheses=1024).value,
                         100)
        self.assertIn("pac-finite", [one["name"] for one in gssl.bounds()])
        with self.assertRaises(gssl.Error):
            gssl.bound("pac-infinite")


if __name__ == "__main__":
    unittest.main()
