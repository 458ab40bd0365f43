// Every verb on a graph with self-loops and parallel edges gives what it gives on the same graph
// without: loops are dropped, parallel edges merged by sum, both directions are one edge.

#include "gssl/learn/registry.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;

namespace {

//   a --2-- b --1-- c      x --4-- y
//   |1      |2      |4      \     /
//   d --4-- e --1-- f        1   2
//                             \ /
//                              z
constexpr const char* plain =
    "a b 2\nb c 1\na d 1\nb e 2\nc f 4\nd e 4\ne f 1\nx y 4\nx z 1\ny z 2\n";
constexpr const char* tangled =
    "a a 7\na b 0.5\nb a 2\nb b 1e300\na b 1.5\nb c 1\nc b 1\na d 0.25\na d 0.75\nb e 2\nc f 1\n"
    "c f 1\nc f 2\nf c 4\nd e 4\ne e 0.125\ne f 1\nf e 0.5\nf e 0.5\nx x 1\nx y 4\ny x 4\nx z 1\n"
    "y z 1\ny z 1\nz z 2\n";
constexpr const char* given = "a left\nf right\nx left\nz right\n";
constexpr const char* truth =
    "a left\nb left\nc right\nd left\ne right\nf right\nx left\ny right\nz right\n";

struct Files {
  explicit Files(const char* edges) {
    write_file(dir.path() / "graph.txt", edges);
    write_file(dir.path() / "given.labels", given);
    write_file(dir.path() / "truth.labels", truth);
    write_file(dir.path() / "pairs.txt", "a f\na x\nd c\ny y\n");
  }
  Result run(const std::string& command) const {
    return run_shell("$GSSL " + command + " --quiet", {.directory = dir.path().string()});
  }
  TemporaryDirectory dir;
};

}  // namespace

TEST_CASE("loops and parallel edges change no verb's answer") {
  const Files clean(plain), dirty(tangled);
  for (const std::string command :
       {"cluster graph.txt -k 2",
        "cluster graph.txt -k auto --method spectral:variant=score",
        "cluster graph.txt -k 4 --truth truth.labels",
        "cut graph.txt --global",
        "cut graph.txt --source a --sink f",
        "resistance graph.txt --pairs pairs.txt --commute",
        "resistance graph.txt --pairs pairs.txt --p 3",
        "resistance graph.txt --edges --centrality",
        "resistance graph.txt --from a",
        "resistance graph.txt --total",
        "resistance graph.txt --diagonal",
        "resistance graph.txt --hitting a",
        "spectrum graph.txt -k 9",
        "spectrum graph.txt -k 9 --laplacian combinatorial --vectors vectors.tsv",
        "spectrum graph.txt -k 9 --laplacian random-walk",
        "explain graph.txt given.labels --node e --node y",
        "explain graph.txt given.labels --suspects",
        "ask graph.txt given.labels -n 3",
        "ask graph.txt given.labels --criterion margin",
        "ask graph.txt given.labels --simulate --truth truth.labels --budget 3 --repeats 2",
        "build --graph graph.txt --mst",
        "build --graph graph.txt --mst --length weight",
        "build --graph graph.txt --spt a",
        "kernel graph.txt --node a",
        "kernel graph.txt --method diffusion:time=0.5 --node a",
        "kernel graph.txt --method regularized:epsilon=0.1 --diagonal",
        "kernel graph.txt --method walk:steps=3,shift=20 --node a",
        "kernel graph.txt --method von-neumann:alpha=0.01 --node a",
        "convert graph.txt -",
        "convert graph.txt - --to metis",
        "convert graph.txt - --to matrix-market"}) {
    INFO(command);
    const Result expected = clean.run(command);
    CHECK(expected.status == 0);
    CHECK(expected.out.size() > 10);
    const Result r = dirty.run(command);
    CHECK(r.status == expected.status);
    CHECK(r.out == expected.out);
  }
  CHECK(read_file(dirty.dir.path() / "vectors.tsv") == read_file(clean.dir.path() / "vectors.tsv"));
}

TEST_CASE("loops and parallel edges change no learner's answer") {
  const Files clean(plain), dirty(tangled);
  const gssl::LearnerRegistry learners = gssl::builtin_learners();
  for (const auto* entry : learners.labelers()) {
    if (entry->name == "eigenfunction") continue;  // learns from points
    if (!entry->traits.classification) continue;
    INFO(entry->name);
    const std::string command =
        "label graph.txt given.labels --truth truth.labels --scores scores.tsv --method " +
        entry->name;
    const Result expected = clean.run(command), r = dirty.run(command);
    CHECK(expected.out.size() > 100);
    CHECK(r.status == expected.status);
    CHECK(r.out == expected.out);
    CHECK(read_file(dirty.dir.path() / "scores.tsv") == read_file(clean.dir.path() / "scores.tsv"));
  }
}

TEST_CASE("a graph of loops alone has vertices and no edges") {
  const Files loops("a a 1\nf f 2\nf f 2\nx x 1\nz z 3\n");
  CHECK(loops.run("label graph.txt given.labels").out ==
        "node\tlabel\tconfidence\tstatus\na\tleft\t1\tgiven\nf\tright\t1\tgiven\n"
        "x\tleft\t1\tgiven\nz\tright\t1\tgiven\n");
  CHECK(loops.run("spectrum graph.txt -k 2").out ==
        "index\teigenvalue\tresidual\n1\t0\t0\n2\t0\t0\n");
  CHECK(loops.run("cut graph.txt --source a --sink x").status == 0);
  CHECK(loops.run("resistance graph.txt --edges").out == "u\tv\tresistance\n");
}
