"""Graphs from what Python people have."""

import gc
import pickle
import subprocess
import sys
import tempfile
import unittest
import warnings
import weakref

import numpy as np

import gssl

try:
    import scipy.sparse as sparse
except ImportError:
    sparse = None
try:
    import networkx
except ImportError:
    networkx = None
try:
    import igraph
except ImportError:
    igraph = None

U, V, W = np.array([0, 1, 2]), np.array([1, 2, 3]), [1.0, 2.0, 4.0]


def edges(graph):
    """The set of (name, name, weight), whichever way round."""
    found = set()
    names = list(graph.names)
    coo = graph.to_scipy().tocoo()
    for u, v, w in zip(coo.row, coo.col, coo.data):
        found.add((frozenset((names[u], names[v])), w))
    return found


class Sources(unittest.TestCase):
    def test_arrays_of_edges(self):
        same = [gssl.Graph((U, V), weights=W), gssl.Graph(np.stack([U, V]), weights=W),
                gssl.Graph(np.stack([U, V], axis=1).astype(">i8"), weights=W),
                gssl.Graph(np.stack([U, V], axis=1).astype(np.float64), weights=W)]
        for graph in same:
            self.assertEqual((graph.vertex_count, graph.edge_count, len(graph)), (4, 3, 4))
        self.assertEqual(gssl.Graph((U, V), n=9).vertex_count, 9)

    def test_names_of_any_kind(self):
        graph = gssl.Graph([("a", 7, 2.0), (7, ("x", 1)), ("a", 7)])
        self.assertEqual(graph.names, ["a", 7, ("x", 1)])
        self.assertEqual(graph.index([("x", 1), "a"]).tolist(), [2, 0])
        with self.assertRaises(KeyError):
            graph.index(["b"])

    def test_file(self):
        graph = gssl.Graph("datasets/digits/edges.tsv")
        self.assertEqual((graph.vertex_count, graph.edge_count), (1797, 12339))
        self.assertEqual(graph.names[:2], ["0", "30"])
        self.assertEqual(graph.index(["30", 0]).tolist(), [1, 0])
        self.assertEqual(graph.counts["edges_given"], 12339)

    def test_bad_input_is_refused_with_a_code(self):
        cases = [((lambda: gssl.Graph("no such file")), "cannot_open"),
                 ((lambda: gssl.Graph(np.zeros((3, 4)))), "bad_data"),
                 ((lambda: gssl.Graph((U, V[:2]))), "bad_data"),
                 ((lambda: gssl.Graph((U, V), weights=[1.0])), "bad_data"),
                 ((lambda: gssl.Graph((U, V), weights=[1.0, -1.0, 1.0])), "bad_data"),
                 ((lambda: gssl.Graph((U, V), weights=[1.0, np.nan, 1.0])), "bad_data"),
                 ((lambda: gssl.Graph((U, V), n=2)), "bad_data"),
                 ((lambda: gssl.Graph((U + 0.5, V))), "bad_data"),
                 ((lambda: gssl.Graph((U, V + 2**40))), "bad_data"),
                 ((lambda: gssl.Graph((U, V), names="aab")), "bad_data"),
                 ((lambda: gssl.Graph(["ab"])), "bad_data"),
                 ((lambda: gssl.Graph((U, V), threads=-1)), "usage")]
        for call, code in cases:
            with self.assertRaises(gssl.Error) as raised:
                call()
            self.assertEqual(raised.exception.code, code, raised.exception)

    def test_pickle(self):
        graph = gssl.Graph([("a", "b", 0.5), ("b", "c", 0.25)])
        again = pickle.loads(pickle.dumps(graph))
        self.assertEqual(again.names, graph.names)
        self.assertEqual(again.edge_count, 2)
        error = pickle.loads(pickle.dumps(gssl.Error("x", "bad_data")))
        self.assertEqual((str(error), error.code), ("x", "bad_data"))


@unittest.skipIf(sparse is None, "SciPy is not there")
class Matrices(unittest.TestCase):
    def matrix(self, seed=1, n=200):
        m = sparse.random(n, n, 0.05, random_state=seed, format="coo")
        keep = m.row != m.col
        m = sparse.coo_matrix((m.data[keep], (m.row[keep], m.col[keep])), shape=m.shape)
        return m.maximum(m.T).tocsr()

    def test_every_format_and_type_is_the_same_graph(self):
        matrix = self.matrix()
        for one in (matrix, matrix.tocsc(), matrix.tocoo(), matrix.tolil(), sparse.csr_array(matrix),
                    sparse.csr_matrix(matrix.astype(">f8"))):
            back = gssl.Graph(one).to_scipy()
            self.assertEqual(abs(back - matrix).nnz, 0)

    def test_shared_memory_is_let_go_with_the_last_graph(self):
        matrix = self.matrix()
        matrix.sort_indices()
        graph = gssl.Graph(matrix, copy=False)
        back = graph.to_scipy()
        self.assertTrue(np.shares_memory(back.data, matrix.data))
        self.assertTrue(np.shares_memory(back.indices, matrix.indices))
        with self.assertRaises(ValueError):
            back.data[0] = 2.0

        class Watched(np.ndarray):
            pass

        watched = matrix.data.view(Watched)
        gone = weakref.ref(watched)
        matrix.data = watched
        graph = gssl.Graph(matrix, copy=False)
        del matrix, watched, back
        gc.collect()
        self.assertEqual(gssl.spectrum(graph, 1).zero_count, 1)
        del graph
        gc.collect()
        self.assertIsNone(gone())

    def test_copy_is_refused_where_one_is_needed(self):
        matrix = self.matrix()
        for bad in (matrix.tocsc(), matrix.astype(np.float32), matrix + sparse.identity(200)):
            with self.assertRaises(gssl.Error):
                gssl.Graph(bad, copy=False)

    def test_what_was_changed_is_said(self):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            graph = gssl.Graph(self.matrix() + sparse.identity(200))
        self.assertIn("self loops dropped: 200", str(told[0].message))
        self.assertEqual(abs(graph.to_scipy() - self.matrix()).nnz, 0)

    def test_directions(self):
        arcs = sparse.csr_matrix(([1.0, 3.0, 5.0], ([0, 1, 1], [1, 0, 2])), shape=(3, 3))
        with self.assertRaises(gssl.Error):
            gssl.Graph(arcs)
        for policy, weight in (("sum", 4.0), ("mean", 2.0), ("max", 3.0)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                graph = gssl.Graph(arcs, directed=policy)
            self.assertEqual(graph.to_scipy()[0, 1], weight)
            self.assertEqual(graph.to_scipy()[2, 1], 5.0)

    def test_rounding_is_no_direction(self):
        matrix = self.matrix()
        rounded = sparse.triu(matrix) + sparse.tril(matrix) * (1 + 2e-16)
        self.assertGreater(abs(rounded - rounded.T).nnz, 0)
        self.assertLess(abs(gssl.Graph(rounded).to_scipy() - matrix).max(), 1e-15)
        with self.assertRaises(gssl.Error):
            gssl.Graph(sparse.triu(matrix) + sparse.tril(matrix) * (1 + 1e-9))

    def test_an_array_of_weights_is_its_sparse_matrix(self):
        matrix = self.matrix()
        rounded = (sparse.triu(matrix) + sparse.tril(matrix) * (1 + 2e-16)).tocsr()
        for one in (matrix, rounded, (matrix != 0).astype(float)):
            expected = gssl.Graph(one).to_scipy()
            for array in (one.toarray(), np.asfortranarray(one.toarray())):
                graph = gssl.Graph(array)
                self.assertEqual(abs(graph.to_scipy() - expected).nnz, 0)
                self.assertEqual(graph.counts["edges_given"], one.nnz)
        self.assertEqual(gssl.Graph(rounded).counts["opposite_differ"],
                         gssl.Graph(rounded.toarray()).counts["opposite_differ"])
        arcs = sparse.csr_matrix(([1.0, 3.0, 5.0], ([0, 1, 1], [1, 0, 2])), shape=(3, 3))
        with self.assertRaises(gssl.Error):
            gssl.Graph(arcs.toarray())
        for policy in ("sum", "mean", "max"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = gssl.Graph(arcs, directed=policy).to_scipy()
            graph = gssl.Graph(arcs.toarray(), directed=policy)
            self.assertEqual(abs(graph.to_scipy() - expected).nnz, 0)
        with self.assertWarnsRegex(UserWarning, "self loops dropped: 200"):
            graph = gssl.Graph((matrix + sparse.identity(200)).toarray())
        self.assertEqual(abs(graph.to_scipy() - matrix).nnz, 0)

    def test_a_kernel_of_all_pairs_takes_what_its_graph_takes(self):
        code = ("import resource, numpy as np, gssl\n"
                "x = np.random.default_rng(1).normal(size=3000)\n"
                "kernel = np.empty((3000, 3000))\n"
                "for i in range(3000):\n"  # row by row, so that nothing is let go that could serve again
                "    np.exp(-np.abs(x[i] - x), out=kernel[i])\n"
                "    kernel[i, :i] *= 1 + 2e-16\n"  # as rounded
                "    kernel[i, i] = 0\n"
                "with_kernel = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
                "graph = gssl.Graph(kernel)\n"
                "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - with_kernel)")
        kilobytes = int(subprocess.run([sys.executable, "-c", code], check=True,
                                       capture_output=True).stdout)
        self.assertLess(kilobytes, 1.2 * 3000 * 3000 * 12 / 1024)

    def test_shapes_and_values_are_checked(self):
        for bad in (np.zeros((3, 4)), np.array([[0, np.nan, 1], [np.nan, 0, 1], [1, 1, 0]]),
                    np.array([[0, -1, 1], [-1, 0, 1], [1, 1, 0.0]])):
            with self.assertRaises(gssl.Error):
                gssl.Graph(bad)
        for bad in (sparse.random(3, 4, 0.5), sparse.csr_matrix([[0, -1.0], [-1.0, 0]]),
                    sparse.csr_matrix([[0, np.inf], [np.inf, 0]])):
            with self.assertRaises(gssl.Error):
                gssl.Graph(bad)


class OtherPackages(unittest.TestCase):
    @unittest.skipIf(networkx is None, "NetworkX is not there")
    def test_networkx(self):
        karate = networkx.karate_club_graph()
        graph = gssl.Graph(karate)
        self.assertEqual((graph.vertex_count, graph.edge_count), (34, 78))
        wanted = {(frozenset((u, v)), float(w)) for u, v, w in karate.edges(data="weight")}
        self.assertEqual(edges(graph), wanted)
        clubs = {0: "Mr. Hi", 33: "Officer"}
        self.assertEqual(gssl.label(graph, clubs)[1], "Mr. Hi")

    @unittest.skipIf(igraph is None, "igraph is not there")
    def test_igraph(self):
        g = igraph.Graph([(0, 1), (2, 1), (2, 3)])
        g.vs["name"] = ["a", "b", "c", "d"]
        g.es["weight"] = [1.0, 0.5, 0.25]
        wanted = {(frozenset("ab"), 1.0), (frozenset("bc"), 0.5), (frozenset("cd"), 0.25)}
        self.assertEqual(edges(gssl.Graph(g)), wanted)

    @unittest.skipIf(networkx is None, "NetworkX is not there")
    def test_a_file_of_networkx(self):
        karate = networkx.karate_club_graph()
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            for u, v, w in karate.edges(data="weight"):
                file.write(f"{u} {v} {w}\n")
            file.flush()
            graph = gssl.Graph.read(file.name)
        self.assertEqual(graph.edge_count, 78)


if __name__ == "__main__":
    unittest.main()
