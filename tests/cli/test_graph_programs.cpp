// Graphs with results in them, opened by the programs they are for: networkx, igraph, Graphviz.
// Where one is not installed its part is skipped and said.

#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
using Catch::Contains;

namespace {

const std::string edge_rows =
    "u,v,weight\na & b,ü,0.3333333333333333\nü,node,2\nnode,a & b,1e300\nfar,away,0.125\n";
const std::string label_rows = "a & b,x\nnode,y\n";

// Each is one line "name|name|weight", sorted by Python, then the attributes of the vertex "ü".
const std::string expected =
    "a & b|node|1e+300\na & b|ü|0.3333333333333333\naway|far|0.125\nnode|ü|2.0\n";

const std::string print_edges =
    "def show(rows):\n"
    "  for a, b, w in sorted((*sorted((a, b)), w) for a, b, w in rows): "
    "print(f'{a}|{b}|{float(w)!r}')\n";

bool has(const std::string& command) {
  if (run_shell(command + " >/dev/null 2>&1").status == 0) return true;
  WARN("skipped: " << command << " does not run");
  return false;
}

std::string python(const std::string& code, const TemporaryDirectory& folder) {
  const std::string path = folder.file("code.py", "# -*- coding: utf-8 -*-\n" + print_edges + code);
  const Result r = run_shell("PYTHONIOENCODING=utf-8 /usr/bin/python3 " + path);
  INFO(r.err);
  CHECK(r.status == 0);
  return r.out;
}

struct Labeled {
  TemporaryDirectory folder;
  std::string path;
  explicit Labeled(const std::string& name) : path((folder.path() / name).string()) {
    const Result r =
        run_gssl({"label", folder.file("e.csv", edge_rows), folder.file("l.csv", label_rows), "-o",
                  (folder.path() / "out").string(), "--graph-output", path});
    INFO(r.err);
    REQUIRE(r.status == 0);
  }
};

}  // namespace

TEST_CASE("networkx opens what label writes, with the results", "[formats]") {
  if (!has("/usr/bin/python3 -c 'import networkx'")) return;
  for (const std::string name : {"graphml", "gexf", "gml"}) {
    INFO(name);
    const Labeled labeled("g." + name);
    const std::string label = name == "gml" ? ", label='id'" : "";
    const std::string out = python(
        "import networkx as nx\ng = nx.read_" + name + "('" + labeled.path + "'" + label +
            ")\n"
            "n = {v: d.get('label', v) for v, d in g.nodes(data=True)}\n"
            "show((n[u], n[v], w) for u, v, w in g.edges(data='weight'))\n"
            "d = next(d for v, d in g.nodes(data=True) if n[v] == 'ü')\n"
            "print(d['class'], d['status'], 0 <= d['confidence'] <= 1, 'score_x' in d or "
            "'score_x' in str(d), 0 <= float(d['x']) <= 1000)\n"
            "print(sorted(d['class'] for v, d in g.nodes(data=True) if n[v] in ('far', 'away')))\n",
        labeled.folder);
    CHECK(out == expected + "y inferred True True True\n['?', '?']\n");
  }
}

TEST_CASE("igraph opens what label writes, with the results", "[formats]") {
  if (!has("/usr/bin/python3 -c 'import igraph'")) return;
  for (const std::string name : {"graphml", "gml"}) {
    INFO(name);
    const Labeled labeled("g." + name);
    const std::string out =
        python("import igraph\ng = igraph.Graph.Read('" + labeled.path + "', format='" + name +
                   "')\n"
                   "import html\nn = [html.unescape(v) for v in g.vs['name']]\n"
                   "show((n[e.source], n[e.target], e['weight']) for e in g.es)\n"
                   "d = g.vs[n.index('ü')]\nprint(d['class'], d['status'], 0 <= d['x'] <= 1000)\n",
               labeled.folder);
    CHECK(out == expected + "y inferred True\n");
  }
}

TEST_CASE("Graphviz draws what label writes", "[formats]") {
  if (!has("dot -V")) return;
  const Labeled labeled("g.dot");
  const Result plain = run_shell("neato -n -Tplain " + labeled.path);
  INFO(plain.err);
  CHECK(plain.status == 0);
  CHECK(plain.err.empty());
  CHECK_THAT(plain.out, Contains("node \"a & b\"") && Contains("node \"node\"") &&
                            Contains("#0072b2") && Contains("edge"));
}

TEST_CASE("cluster, cut and explain write the graph with what they found", "[formats]") {
  const TemporaryDirectory folder;
  const std::string graph = folder.file("e.csv", edge_rows);
  const std::string given = folder.file("l.csv", label_rows);
  const auto written = [&](std::vector<std::string> arguments) {
    const std::string path = (folder.path() / "g.graphml").string();
    arguments.insert(arguments.end(),
                     {"-o", (folder.path() / "out").string(), "--graph-output", path});
    const Result r = run_gssl(arguments);
    INFO(r.err);
    CHECK(r.status == 0);
    return read_file(path);
  };
  CHECK_THAT(written({"cluster", graph, "-k", "2"}), Contains("attr.name=\"cluster\""));
  CHECK_THAT(written({"cut", graph, "--source", "ü", "--sink", "node"}),
             Contains("attr.name=\"side\"") && Contains(">source<") && Contains(">unreached<"));
  CHECK_THAT(written({"cut", graph, "--global"}), Contains("attr.name=\"side\""));
  CHECK_THAT(written({"explain", graph, given, "--node", "ü"}), Contains("attr.name=\"share_ü\""));
  CHECK_THAT(written({"explain", graph, given, "--suspects"}),
             Contains("attr.name=\"suspicion\"") && Contains("attr.name=\"others_say\""));
  const Result wrong = run_gssl({"cut", graph, "--global", "--graph-output", "g.xyz"});
  CHECK(wrong.status == 64);
  CHECK_THAT(wrong.err, Contains(".graphml"));
}

TEST_CASE("convert prints what a pair of formats loses", "[formats]") {
  const TemporaryDirectory folder;
  const std::string text = "#gssl-vertex\tlonely\na b 2\n";
  const auto said = [&](const std::string& name) {
    const Result r =
        run_gssl({"convert", folder.file("e.txt", text), (folder.path() / name).string()});
    CHECK(r.status == 0);
    return r.err;
  };
  CHECK_THAT(said("g.tsv"), Contains("1 isolated vertices stand in comments only"));
  CHECK_THAT(said("g.mtx"), Contains("names of vertices stand in comments only"));
  CHECK_THAT(said("g.graph"), Contains("names of vertices stand in comments only"));
  CHECK(said("g.graphml").find("warning") == std::string::npos);
}

TEST_CASE("A DIMACS file of maximum flow names the terminals of cut", "[formats]") {
  const std::string path = source_path("tests/foreign/igraph.max").string();
  const Result r = run_gssl({"cut", path});
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK_THAT(r.err, Contains("cut 4 = flow 4"));
  CHECK(run_gssl({"cut", source_path("tests/foreign/konect.tsv").string()}).status == 64);
}

TEST_CASE("Layers and folders are read by every verb", "[formats]") {
  const TemporaryDirectory folder;
  const std::string layers = folder.file("l.tsv", "a\tb\t1\tlikes\nb\tc\t2\tknows\n");
  const Result r = run_gssl({"convert", layers, "-", "--layer-weights", "likes=1,knows=0.5"});
  CHECK(r.out == "u\tv\na\tb\nb\tc\n");
  CHECK(run_gssl({"info", layers, "--layer-weights", "likes"}).status == 64);
  CHECK_THAT(run_gssl({"info", layers, "--layer-weights", "likes=1"}).err, Contains("knows"));
  const Result ogb = run_gssl({"info", source_path("tests/foreign/ogb").string()});
  CHECK_THAT(ogb.out, Contains("format\togb\n") && Contains("vertices\t5\n"));
}
