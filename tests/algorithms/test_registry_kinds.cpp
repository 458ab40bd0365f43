// Criteria and kernels of the registry: each is made by its name and keeps to what its kind
// promises.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "algorithms/fixtures.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/evaluate/active.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/network/graph_kernel.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

namespace {

const LearnerRegistry& registry() {
  static const LearnerRegistry all = builtin_learners();
  return all;
}

void check_described(const LearnerEntry& entry) {
  CHECK_FALSE(entry.summary.empty());
  CHECK_FALSE(entry.reference.empty());
  CHECK_FALSE(entry.learns());
  // Options that are spelled out make the same again.
  const std::string spec = registry().make(entry.name).spec;
  CHECK(registry().make(spec).spec == spec);
}

// A little more than nothing on the diagonal, and every pivot of elimination is above 0.
void check_positive(Block gram) {
  const std::int64_t n = gram.rows();
  double scale = 0.0;
  for (const double value : gram.values()) scale = std::max(scale, std::abs(value));
  CHECK(scale > 0.0);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < i; ++j)
      CHECK(gram(i, j) == Approx(gram(j, i)).margin(1e-9 * scale));
    gram(i, i) += 1e-9 * scale;
  }
  for (std::int64_t k = 0; k < n; ++k) {
    REQUIRE(gram(k, k) > 0.0);
    for (std::int64_t i = k + 1; i < n; ++i)
      for (std::int64_t j = k + 1; j < n; ++j) gram(i, j) -= gram(i, k) * gram(k, j) / gram(k, k);
  }
}

// Rows that a kernel takes: of 0 and 1, of symbols with zeros after the last, or places of a path.
Points rows_for(const std::string& kernel) {
  Rng rng(5);
  constexpr int rows = 20;
  const int columns = kernel == "path-tree" ? 1 : 6;
  std::vector<double> values;
  for (int i = 0; i < rows; ++i)
    for (int c = 0; c < columns; ++c)
      values.push_back(kernel == "path-tree"  ? i % 8
                       : kernel == "spectrum" ? 1.0 + static_cast<double>(rng.below(3))
                                              : static_cast<double>(rng.below(2)));
  return Points::dense(rows, columns, std::move(values));
}

}  // namespace

TEST_CASE("every criterion of the registry asks by its name, and nothing twice", "[kinds]") {
  const Graph graph = random_graph(40, 80, 2);
  const std::vector<VertexId> labeled = {3, 17, 30};
  const LabeledSet labels = LabeledSet::classes(labeled, {0, 1, 0}, {"a", "b"});
  const Fit fit = registry().make("harmonic").transductive().fit(graph, labels, on_threads(1));
  const auto criteria = registry().of_kinds({LearnerKind::criterion});
  CHECK(criteria.size() == criterion_names().size());
  for (const LearnerEntry* entry : criteria) {
    INFO(entry->name);
    check_described(*entry);
    const MadeLearner made = registry().make(entry->name + ":unreached=last");
    CHECK(to_string(made.criterion().criterion) == entry->name);
    CHECK_FALSE(made.criterion().unreached_first);
    Asker asker(graph, labeled, std::nullopt, made.criterion(), on_threads(1));
    std::set<VertexId> asked(labeled.begin(), labeled.end());
    for (int round = 0; round < 2; ++round)
      for (const Question& q : asker.next(4, &fit.scores, on_threads(1)))
        CHECK(asked.insert(q.vertex).second);
    CHECK(asked.size() == labeled.size() + 8);
  }
  CHECK(error_of([] { registry().make("margin:rank=5"); })->code() == ErrorCode::usage);
}

TEST_CASE("every kernel of points of the registry is symmetric and positive", "[kinds]") {
  const auto kernels = registry().of_kinds({LearnerKind::kernel});
  CHECK(kernels.size() == 10);
  for (const LearnerEntry* entry : kernels) {
    INFO(entry->name);
    check_described(*entry);
    const MadeLearner made =
        registry().make(entry->name == "path-tree" ? "path-tree:size=8" : entry->name);
    const Points rows = rows_for(entry->name);
    const Block gram = made.kernel().block(rows, rows, on_threads(1));
    check_positive(gram);
    const std::vector<double> diagonal = made.kernel().diagonal(rows, on_threads(1));
    for (VertexId i = 0; i < rows.rows(); ++i)
      CHECK(gram(i, i) == Approx(diagonal[static_cast<std::size_t>(i)]));
    CHECK(make_kernel(made.kernel().spec())->spec() == made.kernel().spec());
  }
  CHECK(registry().make("gaussian:beta=0.5").kernel().spec() == "gaussian(beta=0.5)");
}

TEST_CASE("every kernel of graphs of the registry is symmetric and positive", "[kinds]") {
  const auto graph = std::make_shared<const Graph>(random_graph(25, 40, 3));
  std::vector<VertexId> all(25);
  for (VertexId v = 0; v < 25; ++v) all[static_cast<std::size_t>(v)] = v;
  const auto kernels = registry().of_kinds({LearnerKind::graph_kernel});
  CHECK(kernels.size() == kernel_names().size());
  for (const LearnerEntry* entry : kernels) {
    INFO(entry->name);
    check_described(*entry);
    const MadeLearner made = registry().make(entry->name + ":normalized");
    CHECK(to_string(made.graph_kernel().kind) == entry->name);
    CHECK(made.graph_kernel().normalized);
    check_positive(GraphKernel(graph, made.graph_kernel()).columns(all).values);
  }
}

TEST_CASE("what is asked for as another kind says what it is", "[kinds]") {
  const auto message = [](auto&& call) {
    const auto error = error_of(call);
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::usage);
    return std::string(error->what());
  };
  CHECK_THAT(message([] { registry().make("gaussian").transductive(); }), Contains("kernel="));
  CHECK_THAT(message([] { registry().make("v-opt").inductive(); }),
             Contains("which vertex to label next"));
  CHECK_THAT(message([] { registry().make("diffusion").clusterer(); }),
             Contains("is a kernel of a graph"));
  CHECK_THAT(message([] { registry().make("harmonic").kernel(); }), Contains("labels a graph"));
}
