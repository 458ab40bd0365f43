// How gssl-mpi solves: what it multiplies by, which rows it eliminates, and when hypre takes over.

#include <string>

#include "gssl/graph/generators.hpp"
#include "mpi_runs.hpp"
#include "read_json.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace gssl::test {
namespace {

const std::string harmonic = "--method harmonic:tolerance=1e-12";

// A ring of `size` vertices with chords, in several edges of `line`, the first of them repeated.
std::string ring(int size, int repetitions, const std::string& weight) {
  std::string text;
  for (int v = 0; v < size; ++v)
    for (const int step : {1, 7}) {
      const int times = v == 0 ? repetitions : 1 + v % 3;
      for (int i = 0; i < times; ++i)
        text += std::to_string(v) + "\t" + std::to_string((v + step) % size) + weight + "\n";
    }
  return text;
}

}  // namespace

TEST_CASE("sums of repeated edges are weights of any size", "[mpi]") {
  const TemporaryDirectory folder;
  const std::string labels = folder.file("labels.tsv", "3\ta\n30\tb\n44\ta\n");
  const std::string graph = (folder.path() / "graph.gssl").string();
  // Up to 200, a byte holds the sums; 300 and halves are more than that.
  for (const auto& [repetitions, weight] :
       {std::pair(1, ""), std::pair(200, ""), std::pair(300, ""), std::pair(5, "\t0.5")}) {
    INFO(repetitions << weight);
    const std::string edges = folder.file("edges.tsv", ring(61, repetitions, weight));
    CHECK(compare_ranks(edges, labels, harmonic, folder.path().string()) == "");
    REQUIRE(run_shell("exec $GSSL convert " + edges + " " + graph + " --quiet").status == 0);
    CHECK(compare_ranks(graph, labels, harmonic, folder.path().string()) == "");
  }
}

TEST_CASE("rows may all be eliminated at once", "[mpi]") {
  // Ten leaves of each of two given hubs: nobody without a label has a neighbor without one.
  const TemporaryDirectory folder;
  std::string edges;
  for (int leaf = 0; leaf < 20; ++leaf)
    edges += "h" + std::to_string(leaf % 2) + "\tleaf" + std::to_string(leaf) + "\n" + "h1\tleaf" +
             std::to_string(leaf) + "\n";
  const std::string labels = folder.file("labels.tsv", "h0\ta\nh1\tb\n");
  CHECK(compare_ranks(folder.file("edges.tsv", edges), labels, harmonic, folder.path().string()) ==
        "");
}

TEST_CASE("two vertices that are tied to nothing else do not spoil the others", "[mpi]") {
  // What elimination leaves of the diagonal of x or y is no number above rounding.
  const TemporaryDirectory folder;
  const std::string edges =
      folder.file("edges.tsv", ring(61, 1, "\t1") + "x\ty\t1\nx\t0\t1e-18\ny\t5\t1e-18\n");
  const std::string labels = folder.file("labels.tsv", "3\ta\n30\tb\n44\ta\n");
  const std::string files = "label " + edges + " " + labels + " --quiet";
  const std::string no_pair = " | grep -v '^[xy]'";
  const Result one = run_shell("$GSSL " + files + " --method harmonic" + no_pair);
  for (const std::string kind : {"automatic", "jacobi"}) {
    INFO(kind);
    const Result found = run_mpi(2, files + " --preconditioner " + kind + no_pair);
    CHECK(difference(one.out, found.out).same_rows);
    CHECK(difference(one.out, found.out).largest <= 1e-8);
  }
}

TEST_CASE("whole numbers in a column of weights are as good as repeated edges", "[mpi]") {
  const TemporaryDirectory folder;
  const std::string labels = folder.file("labels.tsv", "3\ta\n30\tb\n44\ta\n");
  for (const std::string weight : {"\t7", "\t255", "\t256"}) {
    INFO(weight);
    const std::string edges = folder.file("edges.tsv", ring(61, 1, weight) + "0\t31\t1\n");
    CHECK(compare_ranks(edges, labels, harmonic + " --duplicates max", folder.path().string()) ==
          "");
  }
}

TEST_CASE("hypre takes over where the diagonal would be slow, and not where it is soon done",
          "[mpi]") {
  const TemporaryDirectory folder;
  const std::string slow = write_edges(folder, grid_graph(120, 120));
  const std::string labels = folder.file("labels.tsv", "0\ta\n7000\tb\n14399\ta\n");
  const Result grid = run_mpi(2, "label " + slow + " " + labels + " " + harmonic);
  INFO(grid.err);
  CHECK(grid.err.find("cg+hypre (") != std::string::npos);
  CHECK(grid.err.find(" iterations forecast with the diagonal) on 2 ranks") != std::string::npos);
  CHECK(compare_ranks(slow, labels, harmonic, folder.path().string()) == "");

  Rng rng(3);
  const std::string soon = write_edges(folder, rmat_graph(9, 16, rng));
  const Result social = run_mpi(2, "label " + soon + " " + folder.file("two.tsv", "0\ta\n5\tb\n"));
  INFO(social.err);
  CHECK(social.err.find("harmonic: cg (") != std::string::npos);

  const std::string tiny = folder.file("tiny.tsv", "a\tb\nb\tc\nc\td\nd\te\n");
  const Result path = run_mpi(2, "label " + tiny + " " + folder.file("ends.tsv", "a\tx\ne\ty\n"));
  INFO(path.err);
  CHECK(path.err.find("cg (before a forecast was due) on 2 ranks") != std::string::npos);
}

TEST_CASE("a preconditioner of PETSc's that the user names gets the matrix", "[mpi]") {
  const TemporaryDirectory folder;
  const std::string edges = write_edges(folder, grid_graph(30, 40));
  const std::string labels = folder.file("labels.tsv", "0\ta\n700\tb\n1199\ta\n");
  const std::string files = "label " + edges + " " + labels + " " + harmonic;
  const Result one = run_shell("exec $GSSL " + files + " --quiet");
  for (const std::string kind : {"bjacobi", "jacobi"}) {
    const Result found = run_mpi(2, files + " --preconditioner jacobi", {},
                                 "PETSC_OPTIONS='-gssl_pc_type " + kind + "'");
    INFO(kind << "\n" << found.err);
    CHECK(found.status == 0);
    CHECK(difference(one.out, found.out).same_rows);
    CHECK(difference(one.out, found.out).largest <= 1e-8);
  }
}

TEST_CASE("rounding ends a solve, and hypre is not asked about it", "[mpi]") {
  const TemporaryDirectory folder;
  Rng rng(3);
  const std::string edges = write_edges(folder, rmat_graph(12, 16, rng));
  const std::string labels = folder.file("labels.tsv", "0\ta\n5\tb\n");
  const Result found =
      run_mpi(2, "label " + edges + " " + labels + " --method harmonic:soft=0.5,tolerance=1e-16");
  INFO(found.err);
  CHECK(found.status == 1);
  CHECK(found.err.find("harmonic: cg (") != std::string::npos);
  CHECK(found.err.find(": rounding stopped the conjugate gradients") != std::string::npos);
}

TEST_CASE("options of hypre that the user gives come before those of gssl-mpi", "[mpi]") {
  const TemporaryDirectory folder;
  const std::string edges = write_edges(folder, grid_graph(80, 80));
  const std::string labels = folder.file("labels.tsv", "0\ta\n700\tb\n6399\ta\n");
  const auto steps = [&](const std::string& options) {
    const std::string summary = (folder.path() / "run.json").string();
    const Result found = run_mpi(2,
                                 "label " + edges + " " + labels + " " + harmonic +
                                     " --preconditioner hypre --summary " + summary,
                                 {}, "PETSC_OPTIONS='" + options + "'");
    INFO(found.err);
    CHECK(found.status == 0);
    return read_json(summary)["solver"]["iterations"].get<int>();
  };
  const int ours = steps("");
  CHECK(ours <= 20);
  for (const std::string option : {"relax_type_all Jacobi", "coarsen_type PMIS"})
    CHECK(steps("-gssl_pc_hypre_boomeramg_" + option) > ours);
}

}  // namespace gssl::test
