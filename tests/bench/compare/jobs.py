"""The jobs of compare.py: what gssl is asked, what each peer is asked, and how much their answers agree."""

import csv
import pathlib

import numpy


class Job:
    """One input made from a seed in a folder, a gssl command on it, and peers that answer the same question."""

    name = ""      # in the table
    peers = ()     # (program, its module in Python)
    least = 1.0    # agreement of the answers below which a time says nothing

    def __init__(self, size):
        self.size = size

    def make(self, folder):
        raise NotImplementedError

    def command(self, folder):
        raise NotImplementedError

    def ours(self, folder):
        """The answer that gssl wrote, as the peer gives it."""
        raise NotImplementedError

    def agreement(self, ours, theirs):
        """From 0 to 1."""
        return float(numpy.mean(ours == theirs))


def two_moons(size, seed=1):
    random = numpy.random.default_rng(seed)
    angle = random.uniform(0, numpy.pi, size)
    side = numpy.arange(size) % 2
    x = numpy.where(side == 0, numpy.cos(angle), 1 - numpy.cos(angle))
    y = numpy.where(side == 0, numpy.sin(angle), 0.5 - numpy.sin(angle))
    return numpy.stack([x, y], axis=1) + random.normal(0, 0.08, (size, 2)), side


def groups(size, columns, seed=1):
    """Eight gaussian groups in two classes."""
    random = numpy.random.default_rng(seed)
    group = random.integers(0, 8, size)
    centers = random.normal(0, 2, (8, columns))
    return centers[group] + random.normal(0, 1.5, (size, columns)), group % 2


def write_points(path, points, labels=None):
    with open(path, "w") as out:
        heads = [f"x{i}" for i in range(points.shape[1])] + ([] if labels is None else ["class"])
        out.write(",".join(heads) + "\n")
        for i, row in enumerate(points.tolist()):
            out.write(",".join(map(repr, row)) + ("" if labels is None else f",{labels[i]}") + "\n")


def column(path, name):
    with open(path) as table:
        return [row[name] for row in csv.DictReader(table, delimiter="\t")]


class LabelPoints(Job):
    name = "label {0:,} points from 20, neighbors included"
    peers = (("scikit-learn LabelSpreading", "sklearn"),)
    least = 0.95

    def make(self, folder):
        points, side = two_moons(self.size)
        numpy.save(folder / "points.npy", points)
        with open(folder / "labels.tsv", "w") as out:
            out.writelines(f"{i}\t{side[i]}\n" for i in range(20))
        numpy.save(folder / "side.npy", side)

    def command(self, folder):
        return ["label", "--points", folder / "points.npy", "--knn", "10", "--weights", "unit", "--method",
                "local-global:alpha=0.99", folder / "labels.tsv", "-o", folder / "out.tsv"]

    def ours(self, folder):
        rows = numpy.full(self.size, -1)
        for node, label in zip(column(folder / "out.tsv", "node"), column(folder / "out.tsv", "label")):
            rows[int(node)] = int(label) if label else -1
        return rows

    def peer(self, program, folder):
        from sklearn.semi_supervised import LabelSpreading
        given = numpy.load(folder / "side.npy")
        given[20:] = -1
        model = LabelSpreading(kernel="knn", n_neighbors=10, alpha=0.99, max_iter=1000, n_jobs=-1)
        return model.fit(numpy.load(folder / "points.npy"), given).transduction_


class NeighborGraph(Job):
    name = "10 nearest neighbors of {0:,} points in 20 dimensions"
    peers = (("scikit-learn kneighbors_graph", "sklearn"),)
    least = 0.9999

    def make(self, folder):
        numpy.save(folder / "points.npy", groups(self.size, 20)[0])

    def command(self, folder):
        return ["build", folder / "points.npy", "--knn", "10", "--weights", "unit", "-o", folder / "out.tsv"]

    def ours(self, folder):
        edges = numpy.loadtxt(folder / "out.tsv", dtype=numpy.int64, skiprows=1)[:, :2]
        return numpy.unique(edges.min(axis=1) * self.size + edges.max(axis=1))

    def peer(self, program, folder):
        from sklearn.neighbors import kneighbors_graph
        graph = kneighbors_graph(numpy.load(folder / "points.npy"), 10, n_jobs=-1).tocoo()
        low, high = numpy.minimum(graph.row, graph.col), numpy.maximum(graph.row, graph.col)
        return numpy.unique(low.astype(numpy.int64) * self.size + high)

    def agreement(self, ours, theirs):
        return len(numpy.intersect1d(ours, theirs)) / max(len(ours), len(theirs))


class HarmonicGrid(Job):
    name = "harmonic scores of a grid of {0:,} vertices, weights of four decades"
    peers = (("SciPy spsolve", "scipy"), ("SciPy cg, tolerance 1e-8", "scipy"))
    least = 0.999

    def side(self):
        return int(self.size ** 0.5)

    def make(self, folder):
        n = self.side()
        index = numpy.arange(n * n).reshape(n, n)
        u = numpy.concatenate([index[:, :-1].ravel(), index[:-1].ravel()])
        v = numpy.concatenate([index[:, 1:].ravel(), index[1:].ravel()])
        w = 10 ** numpy.random.default_rng(3).uniform(-2, 2, len(u))
        numpy.savez(folder / "grid.npz", u=u, v=v, w=w)
        with open(folder / "edges.tsv", "w") as out:
            out.writelines(f"{a}\t{b}\t{c!r}\n" for a, b, c in zip(u.tolist(), v.tolist(), w.tolist()))
        given = numpy.random.default_rng(4).choice(n * n, 40, replace=False)
        numpy.save(folder / "given.npy", given)
        with open(folder / "labels.tsv", "w") as out:
            out.writelines(f"{g}\t{'ab'[i % 2]}\n" for i, g in enumerate(given))

    def command(self, folder):
        return ["label", folder / "edges.tsv", folder / "labels.tsv", "--method", "harmonic", "-o", folder / "out.tsv"]

    def ours(self, folder):
        rows = numpy.zeros(self.side() ** 2, dtype=int)
        for node, label in zip(column(folder / "out.tsv", "node"), column(folder / "out.tsv", "label")):
            rows[int(node)] = label == "b"
        return rows

    def peer(self, program, folder):
        import scipy.sparse
        from scipy.sparse.linalg import cg, spsolve
        data, given, n = numpy.load(folder / "grid.npz"), numpy.load(folder / "given.npy"), self.side() ** 2
        a = scipy.sparse.coo_matrix((data["w"], (data["u"], data["v"])), (n, n)).tocsr()
        a = a + a.T
        laplacian = (scipy.sparse.diags(numpy.asarray(a.sum(axis=1)).ravel()) - a).tocsr()
        value = numpy.arange(len(given)) % 2
        free = numpy.setdiff1d(numpy.arange(n), given)
        matrix, right = laplacian[free][:, free].tocsc(), -laplacian[free][:, given] @ value
        if "cg" in program:
            diagonal = scipy.sparse.diags(1 / matrix.diagonal())
            solved = cg(matrix, right, tol=1e-8, M=diagonal, maxiter=100000)[0]
        else:
            solved = spsolve(matrix, right)
        answer = numpy.zeros(n, dtype=int)
        answer[given] = value
        answer[free] = solved > 0.5
        return answer


class Forest(Job):
    name = "forest of 100 trees on {0:,} rows of 20 columns, and its answers"
    peers = (("scikit-learn RandomForestClassifier", "sklearn"),)
    least = 0.9

    def make(self, folder):
        points, label = groups(self.size, 20)
        write_points(folder / "train.csv", points, label)
        numpy.savez(folder / "train.npz", x=points, y=label)

    def command(self, folder):
        return ["evaluate", "--points", folder / "train.csv", "--label-column", "class", "--train", "0.8", "--test",
                "0.2", "--repeats", "1", "--method", "forest:trees=100", "-o", folder / "out.tsv"]

    def ours(self, folder):
        return float(column(folder / "out.tsv", "accuracy")[0])

    def peer(self, program, folder):
        from sklearn.ensemble import RandomForestClassifier
        from sklearn.model_selection import train_test_split
        data = numpy.genfromtxt(folder / "train.csv", delimiter=",", skip_header=1)
        x, tx, y, ty = train_test_split(data[:, :-1], data[:, -1], test_size=0.2, random_state=1)
        return RandomForestClassifier(100, n_jobs=-1).fit(x, y).score(tx, ty)

    def agreement(self, ours, theirs):
        return 1 - abs(ours - theirs)


class MinimumCut(Job):
    name = "minimum cut between the corners of a grid of {0:,} vertices"
    peers = (("SciPy maximum_flow", "scipy"), ("igraph st_mincut", "igraph"))

    def side(self):
        return int(self.size ** 0.5)

    def make(self, folder):
        n = self.side()
        index = numpy.arange(n * n).reshape(n, n)
        u = numpy.concatenate([index[:, :-1].ravel(), index[:-1].ravel()])
        v = numpy.concatenate([index[:, 1:].ravel(), index[1:].ravel()])
        w = numpy.random.default_rng(5).integers(1, 100, len(u))
        # Corners hang on by many edges, so that the cut runs through the middle and not around a corner.
        near = [index[:n // 3, :n // 3].ravel(), index[-(n // 3):, -(n // 3):].ravel()]
        u = numpy.concatenate([u, numpy.full(len(near[0]), n * n), numpy.full(len(near[1]), n * n + 1)])
        v = numpy.concatenate([v, near[0], near[1]])
        w = numpy.concatenate([w, numpy.full(len(near[0]) + len(near[1]), 1000)])
        numpy.savez(folder / "grid.npz", u=u, v=v, w=w, n=n * n + 2)
        numpy.savetxt(folder / "edges.tsv", numpy.stack([u, v, w], axis=1), "%d", "\t")

    def command(self, folder):
        n = self.side() ** 2
        return ["cut", folder / "edges.tsv", "--source", str(n), "--sink", str(n + 1), "-o", folder / "out.tsv",
                "--summary", folder / "cut.json"]

    def ours(self, folder):
        import json
        found = json.loads((folder / "cut.json").read_text())
        return float(found["cut"])

    def peer(self, program, folder):
        data = numpy.load(folder / "grid.npz")
        u, v, w, n = data["u"], data["v"], data["w"], int(data["n"])
        if "igraph" in program:
            import igraph
            graph = igraph.Graph(n, numpy.stack([u, v], axis=1).tolist())
            return float(graph.st_mincut(n - 2, n - 1, w.tolist()).value)
        import scipy.sparse
        from scipy.sparse.csgraph import maximum_flow
        a = scipy.sparse.coo_matrix((w.astype(numpy.int32), (u, v)), (n, n)).tocsr()
        return float(maximum_flow((a + a.T).tocsr(), n - 2, n - 1).flow_value)


def jobs(scale):
    """Sizes for a machine of two cores and some minutes; `scale` makes them larger or smaller."""
    return {"points": LabelPoints(int(20000 * scale)), "neighbors": NeighborGraph(int(20000 * scale)),
            "harmonic": HarmonicGrid(int(250000 * scale)), "cut": MinimumCut(int(40000 * scale)),
            "forest": Forest(int(20000 * scale))}
