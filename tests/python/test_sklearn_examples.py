"""The examples of scikit-learn's LabelSpreading and LabelPropagation with gssl in their place: the
same answers where the method is the same, on the same graph."""

import unittest

import numpy as np

try:
    from scipy.sparse import csr_matrix
    from sklearn.datasets import load_digits, make_circles
    from sklearn.metrics.pairwise import rbf_kernel
    from sklearn.neighbors import kneighbors_graph
    from sklearn.semi_supervised import LabelPropagation, LabelSpreading
except ImportError:
    raise SystemExit(print("skipped: scikit-learn is not there"))

from gssl.estimators import HarmonicClassifier, LocalGlobalClassifier


def graph_of(kernel):
    """The weights that scikit-learn's graph has between rows, without those of rows to themselves."""
    kernel = np.array(kernel)
    np.fill_diagonal(kernel, 0.0)
    return csr_matrix(kernel)


class Examples(unittest.TestCase):
    def test_circles(self):
        """plot_label_propagation_structure: two circles, a label each."""
        X, _ = make_circles(n_samples=200, shuffle=False)
        y = np.full(200, -1)
        y[0], y[-1] = 0, 1
        theirs = LabelSpreading(kernel="knn", alpha=0.8).fit(X, y)
        neighbors = kneighbors_graph(X, 7, include_self=True)
        weights = neighbors.maximum(neighbors.T)  # theirs is not symmetric
        ours = LocalGlobalClassifier(alpha=0.8, metric="graph").fit(graph_of(weights.toarray()), y)
        self.assertEqual(ours.transduction_.tolist(), theirs.transduction_.tolist())

    def test_digits_spreading(self):
        """plot_label_propagation_digits: 340 digits, of which 40 have a label."""
        X, truth = load_digits(return_X_y=True)
        order = np.arange(len(truth))
        np.random.RandomState(2).shuffle(order)
        X, truth = X[order[:340]] / 16.0, truth[order[:340]]
        y = truth.copy()
        y[40:] = -1
        for gamma in (0.25, 1.0):
            theirs = LabelSpreading(gamma=gamma, max_iter=500, tol=1e-13).fit(X, y)
            # Their S has degrees of W with its diagonal taken out, as ours.
            ours = LocalGlobalClassifier(alpha=0.2, tolerance=1e-13, metric="graph").fit(
                graph_of(rbf_kernel(X, gamma=gamma)), y)
            np.testing.assert_allclose(ours.label_distributions_, theirs.label_distributions_,
                                       atol=1e-8)
            self.assertEqual(ours.transduction_.tolist(), theirs.transduction_.tolist())

    def test_digits_propagation(self):
        X, truth = load_digits(return_X_y=True)
        X, y = X[:300] / 16.0, truth[:300].copy()
        y[60:] = -1
        # The limit of their iteration is the harmonic function, whatever the diagonal.
        theirs = LabelPropagation(gamma=0.25, max_iter=5000, tol=1e-12).fit(X, y)
        ours = HarmonicClassifier(metric="graph").fit(graph_of(rbf_kernel(X, gamma=0.25)), y)
        np.testing.assert_allclose(ours.label_distributions_, theirs.label_distributions_, atol=1e-6)
        self.assertEqual(ours.transduction_.tolist(), theirs.transduction_.tolist())


if __name__ == "__main__":
    unittest.main()
