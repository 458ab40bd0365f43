// Eigenpairs and clusters by SLEPc beside those of one machine.

#include <cmath>
#include <map>
#include <sstream>
#include <string>

#include "gssl/graph/generators.hpp"
#include "mpi_runs.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace gssl::test {
namespace {

// The second column of a table.
std::vector<double> second_column(const std::string& text) {
  std::vector<double> values;
  std::istringstream lines(text);
  std::string line, word;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    words >> word >> word;
    values.push_back(std::stod(word));
  }
  return values;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return HUGE_VAL;
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

// Whether two partitions are the same but for the names of the parts.
bool same_parts(const std::vector<double>& a, const std::vector<double>& b) {
  std::map<double, double> there, back;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (there.try_emplace(a[i], b[i]).first->second != b[i] ||
        back.try_emplace(b[i], a[i]).first->second != a[i])
      return false;
  return a.size() == b.size();
}

}  // namespace

TEST_CASE("eigenvalues are those of one machine", "[mpi]") {
  for (const std::string kind : {"combinatorial", "symmetric", "random-walk"}) {
    const std::string arguments = "spectrum datasets/iris/edges.tsv -k 6 --laplacian " + kind;
    const std::vector<double> expected =
        second_column(run_shell("exec $GSSL " + arguments + " --quiet").out);
    REQUIRE(expected.size() == 6);
    for (const int ranks : {1, 2}) {
      const Result found = run_mpi(ranks, arguments);
      INFO(kind << " " << ranks << "\n" << found.err);
      CHECK(found.status == 0);
      CHECK(largest_difference(second_column(found.out), expected) <= 1e-8);
    }
  }
}

TEST_CASE("zeros are the components, and their vectors are exact", "[mpi]") {
  const TemporaryDirectory folder;
  const std::string edges = folder.file("edges.tsv", "a b\nb c\nc a\nd e\nf g\n");
  const std::string vectors = (folder.path() / "vectors.tsv").string();
  const Result found =
      run_mpi(2, "spectrum " + edges + " -k 7 --laplacian combinatorial --vectors " + vectors);
  INFO(found.err);
  CHECK(found.status == 0);
  CHECK(largest_difference(second_column(found.out), {0, 0, 0, 2, 2, 3, 3}) <= 1e-10);
  const std::vector<double> first = second_column(read_file(vectors));
  const double third = std::sqrt(1.0 / 3.0);
  CHECK(largest_difference(first, {third, third, third, 0, 0, 0, 0}) <= 1e-15);
}

TEST_CASE("clusters of a planted partition are found on any number of ranks", "[mpi]") {
  Rng rng(3);
  const Graph graph = stochastic_block_model({20, 25, 30, 35}, 0.5, 0.01, rng);
  const TemporaryDirectory folder;
  const std::string arguments = "cluster " + write_edges(folder, graph) + " -k 4";
  const std::vector<double> expected =
      second_column(run_shell("exec $GSSL " + arguments + " --quiet").out);
  for (const int ranks : {1, 3}) {
    const Result found = run_mpi(ranks, arguments);
    INFO(found.err);
    CHECK(found.status == 0);
    CHECK(same_parts(second_column(found.out), expected));
  }
}

TEST_CASE("components are packed whole where there are as many as clusters", "[mpi]") {
  const TemporaryDirectory folder;
  const std::string edges = folder.file("edges.tsv", "a b\nb c\nc d\ne f\nf g\nh i\n");
  const Result found = run_mpi(3, "cluster " + edges + " -k 2");
  INFO(found.err);
  CHECK(found.status == 0);
  CHECK(second_column(found.out) == std::vector<double>{1, 1, 1, 1, 2, 2, 2, 2, 2});
}

}  // namespace gssl::test
