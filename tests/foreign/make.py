#!/usr/bin/python3
"""Writes the files of this folder with the programs that own their formats.

    cd tests/foreign && /usr/bin/python3 make.py

One graph in all of them: five vertices named with care, one of them alone, weights that decimals
cannot hold. The tests read each and compare the sets of (name, name, weight)."""
import subprocess

import igraph
import networkx as nx
import numpy
import scipy.sparse

names = ["alice", "a & b", "ü", "node 4", "lonely"]
edges = [(0, 1, 1 / 3), (1, 2, 2.0), (2, 0, 0.125), (2, 3, 1e300)]

g = nx.Graph()
g.add_nodes_from(names)
for u, v, w in edges:
    g.add_edge(names[u], names[v], weight=w)
nx.write_graphml(g, "networkx.graphml")
nx.write_gexf(g, "networkx.gexf", version="1.2draft")
nx.write_gml(g, "networkx.gml")
nx.write_pajek(g, "networkx.net")
nx.write_graphml(g.to_directed(), "networkx_directed.graphml")

i = igraph.Graph(n=5, edges=[(u, v) for u, v, _ in edges])
i.vs["name"] = names
i.es["weight"] = [w for _, _, w in edges]
i.write_graphml("igraph.graphml")
i.write_gml("igraph.gml")
i.write_pajek("igraph.net")
i.write_dot("igraph.dot")

# DIMACS holds integer weights and no names.
flow = igraph.Graph(n=4, edges=[(0, 1), (0, 2), (1, 3), (2, 3)], directed=True)
flow.write_dimacs("igraph.max", source=0, target=3, capacity=[3, 2, 2, 4])

m = scipy.sparse.lil_matrix((5, 5))
for u, v, w in edges:
    m[u, v] = m[v, u] = w
for layout in ("csr", "csc", "coo", "bsr"):
    scipy.sparse.save_npz(f"scipy_{layout}.npz", m.asformat(layout))
scipy.sparse.save_npz("scipy_int64.npz",
                      scipy.sparse.csr_matrix(numpy.array([[0, 3], [3, 0]], dtype=numpy.int64)))
scipy.sparse.save_npz("scipy_stored.npz", m.tocsr(), compressed=False)

dot = 'graph { edge [weight=2]; a -- {b c} ; "x y" -- a [weight=0.5, label="w"] ; alone }'
text = subprocess.run(["dot", "-Tdot"], input=dot, text=True, capture_output=True, check=True)
with open("graphviz.dot", "w", encoding="utf-8") as file:
    file.write(text.stdout)
