// The promises of kernel.hpp and graph_kernel.hpp, held against every registered kernel. A kernel of
// points that is about its own kind of rows gets the first sample that it takes.

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "algorithms/contract_support.hpp"
#include "algorithms/fixtures.hpp"
#include "algorithms/tested_learners.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/network/graph_kernel.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

const LearnerRegistry& kernel_registry() {
  static const LearnerRegistry all = tested_learners();
  return all;
}

// Rows of real numbers, of 0 and 1, of symbols, and of places on a path of 8.
std::vector<Points> samples_of_rows(VertexId rows) {
  constexpr int columns = 5;
  Rng rng(4);
  std::vector<double> reals, bits, symbols, places;
  for (VertexId r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      reals.push_back(2.0 * rng.uniform() - 1.0);
      bits.push_back(static_cast<double>(rng.below(2)));
      symbols.push_back(1.0 + static_cast<double>(rng.below(3)));
    }
    places.push_back(r % 8);
  }
  return {
      Points::dense(rows, columns, std::move(reals)), Points::dense(rows, columns, std::move(bits)),
      Points::dense(rows, columns, std::move(symbols)), Points::dense(rows, 1, std::move(places))};
}

std::string kernel_spec(const LearnerEntry& entry) {
  for (const OptionSpec& option : entry.options.specs())
    if (option.name == "size") return entry.name + ":size=8";
  return entry.name;
}

// Calls body(kernel, rows) with rows that the kernel takes; those before it refuses as bad data.
void for_kernels(VertexId count, const std::function<void(const Kernel&, const Points&)>& body) {
  for (const LearnerEntry* entry : kernel_registry().of_kinds({LearnerKind::kernel})) {
    const MadeLearner made = kernel_registry().make(kernel_spec(*entry));
    INFO(made.spec);
    bool taken = false;
    for (const Points& rows : samples_of_rows(count)) {
      if (taken) continue;
      const auto error = error_of([&] { made.kernel().block(rows, rows, on_threads(1)); });
      if (error) CHECK(error->code() == ErrorCode::bad_data);
      if (error) continue;
      taken = true;
      body(made.kernel(), rows);
    }
    CHECK(taken);
  }
}

double largest_entry(const Block& block) {
  double size = 0.0;
  for (const double value : block.values()) size = std::max(size, std::abs(value));
  return size;
}

void for_graph_kernels(
    const std::function<void(const LearnerEntry&, const GraphKernelOptions&)>& body) {
  for (const LearnerEntry* entry : kernel_registry().of_kinds({LearnerKind::graph_kernel})) {
    const MadeLearner made = kernel_registry().make(entry->name);
    INFO(made.spec);
    body(*entry, made.graph_kernel());
  }
}

std::vector<VertexId> every_vertex(const Graph& graph) {
  return identity_order(graph.vertex_count());
}

std::shared_ptr<const Graph> owned_graph(Graph graph) {
  return std::make_shared<const Graph>(std::move(graph));
}

}  // namespace

TEST_CASE("Every kernel of points: an entry is of its two rows alone", "[kernels]") {
  for_kernels(40, [](const Kernel& kernel, const Points& rows) {
    const std::vector<std::int32_t> some = {3, 17, 3};
    const Block whole = kernel.block(rows, rows, on_threads(1));
    const Block part = kernel.block(select(rows, some), rows, on_threads(1));
    const double near = 1e-9 * largest_entry(whole);
    REQUIRE(whole.rows() == 40);
    REQUIRE(whole.columns() == 40);
    REQUIRE(part.rows() == 3);
    REQUIRE(part.columns() == 40);
    const std::vector<double> diagonal = kernel.diagonal(rows, on_threads(1));
    REQUIRE(diagonal.size() == 40);
    for (std::int64_t j = 0; j < 40; ++j) {
      CHECK(diagonal[static_cast<std::size_t>(j)] == Approx(whole(j, j)).margin(near));
      for (std::int64_t i = 0; i < 3; ++i)
        CHECK(part(i, j) == Approx(whole(some[static_cast<std::size_t>(i)], j)).margin(near));
      for (std::int64_t i = 0; i < j; ++i) CHECK(whole(i, j) == Approx(whole(j, i)).margin(near));
    }
  });
}

TEST_CASE("Every kernel of points: one thread and two give the same bytes", "[kernels]") {
  for_kernels(300, [](const Kernel& kernel, const Points& rows) {
    CHECK(kernel.block(rows, rows, on_threads(1)) == kernel.block(rows, rows, on_threads(2)));
    CHECK(kernel.diagonal(rows, on_threads(1)) == kernel.diagonal(rows, on_threads(2)));
  });
}

TEST_CASE("Every kernel of points: sparse rows are the same rows, and no rows no entries",
          "[kernels]") {
  for_kernels(40, [](const Kernel& kernel, const Points& rows) {
    const Block dense = kernel.block(rows, rows, on_threads(1));
    const Points sparse = as_sparse(rows);
    CHECK(max_difference(kernel.block(sparse, sparse, on_threads(1)), dense) <=
          1e-9 * largest_entry(dense));
    const Points none = select(rows, std::vector<std::int32_t>{});
    CHECK(kernel.block(none, rows, on_threads(1)).rows() == 0);
    CHECK(kernel.diagonal(none, on_threads(1)).empty());
  });
}

TEST_CASE("Every kernel of points: other columns and what overflows are refused", "[kernels]") {
  for_kernels(8, [](const Kernel& kernel, const Points& rows) {
    const std::int64_t wider = rows.columns() + 1;
    const Points other =
        Points::dense(2, wider, std::vector<double>(static_cast<std::size_t>(2 * wider), 1.0));
    CHECK(refusal_of([&] { kernel.block(rows, other, on_threads(1)); }) == ErrorCode::bad_data);
    const auto cells = static_cast<std::size_t>(rows.rows() * rows.columns());
    std::vector<double> values(cells, 1e200);
    for (std::size_t i = 0; i < cells; i += 3) values[i] = 1.0;
    const Points huge = Points::dense(rows.rows(), rows.columns(), std::move(values));
    const auto error = error_of([&] {
      const Block block = kernel.block(huge, huge, on_threads(1));
      for (const double value : block.values()) CHECK(std::isfinite(value));
    });
    if (error) CHECK(error->code() == ErrorCode::bad_data);
  });
}

TEST_CASE("Every kernel of points: a stopped run throws, or was done before it looked",
          "[kernels]") {
  for_kernels(40, [](const Kernel& kernel, const Points& rows) {
    const Block undisturbed = kernel.block(rows, rows, on_threads(1));
    for_stopped_runs([&](const RunContext& run, Outcome ended) {
      Block found;
      const auto error = error_of([&] { found = kernel.block(rows, rows, run); });
      if (error) CHECK(error->code() == code_of(ended));
      if (!error) CHECK(found == undisturbed);
    });
  });
}

TEST_CASE("Every kernel of a graph: finite, symmetric, and 0 between components", "[kernels]") {
  for_graph_kernels([](const LearnerEntry&, const GraphKernelOptions& options) {
    for (const LabeledGraph& problem : small_shapes()) {
      INFO(problem.name);
      const VertexId n = problem.graph.vertex_count();
      const Components components = connected_components(problem.graph);
      const KernelProduct found =
          GraphKernel(owned_graph(problem.graph), options).columns(every_vertex(problem.graph));
      REQUIRE(found.values.rows() == n);
      REQUIRE(found.values.columns() == n);
      CHECK(found.report.converged());
      check_numbers(found.report);
      const double near = 1e-8 * largest_entry(found.values);
      for (VertexId u = 0; u < n; ++u)
        for (VertexId v = 0; v < n; ++v) {
          CHECK(std::isfinite(found.values(u, v)));
          CHECK(found.values(u, v) == Approx(found.values(v, u)).margin(near));
          if (components.of[static_cast<std::size_t>(u)] !=
              components.of[static_cast<std::size_t>(v)])
            CHECK(std::abs(found.values(u, v)) <= near);
        }
    }
  });
}

TEST_CASE("Every kernel of a graph: products are those of its columns, names do not matter",
          "[kernels]") {
  const Graph graph = random_graph(30, 45, 6, 2);
  const std::vector<VertexId> to = shuffled_order(30, 8);
  Rng rng(9);
  Block x(30, 2);
  for (std::int64_t i = 0; i < 60; ++i) x.data()[i] = rng.normal();
  for_graph_kernels([&](const LearnerEntry&, const GraphKernelOptions& options) {
    const GraphKernel kernel(owned_graph(graph), options, on_threads(1));
    const Block columns = kernel.columns(every_vertex(graph), on_threads(1)).values;
    const Block product = kernel.product(x, on_threads(1)).values;
    const Block moved = GraphKernel(owned_graph(renamed(graph, to)), options, on_threads(1))
                            .columns(every_vertex(graph), on_threads(1))
                            .values;
    Block expected(30, 2), back(30, 30);
    for (VertexId u = 0; u < 30; ++u)
      for (VertexId v = 0; v < 30; ++v) {
        back(u, v) = moved(to[static_cast<std::size_t>(u)], to[static_cast<std::size_t>(v)]);
        for (int c = 0; c < 2; ++c) expected(u, c) += columns(u, v) * x(v, c);
      }
    const double near = 1e-7 * largest_entry(columns);
    CHECK(max_difference(product, expected) <= 30.0 * near);
    CHECK(max_difference(back, columns) <= near);
  });
}

TEST_CASE("Every kernel of a graph: one thread and two give the same bytes", "[kernels]") {
  const auto graph = owned_graph(random_graph(400, 800, 5));
  const std::vector<VertexId> some = {0, 7, 399};
  for_graph_kernels([&](const LearnerEntry& entry, const GraphKernelOptions& options) {
    if (!entry.traits.deterministic) return;
    const KernelProduct one =
        GraphKernel(graph, options, on_threads(1)).columns(some, on_threads(1));
    const KernelProduct two =
        GraphKernel(graph, options, on_threads(2)).columns(some, on_threads(2));
    CHECK(one.values == two.values);
    check_equal_reports(one.report, two.report);
  });
}

TEST_CASE("Every kernel of a graph: a stopped run says so, or was done before it looked",
          "[kernels]") {
  const auto graph = owned_graph(random_graph(400, 800, 5));
  for_graph_kernels([&](const LearnerEntry&, const GraphKernelOptions& options) {
    const Block undisturbed = GraphKernel(graph, options, on_threads(1)).columns({3}).values;
    for_stopped_runs([&](const RunContext& run, Outcome ended) {
      const auto error = error_of([&] {
        const KernelProduct found = GraphKernel(graph, options, run).columns({3}, run);
        if (found.report.converged())
          CHECK(max_difference(found.values, undisturbed) <= 1e-7 * largest_entry(undisturbed));
        else
          CHECK(found.report.outcome == ended);
      });
      if (error) CHECK(error->code() == code_of(ended));
    });
  });
}

TEST_CASE("Every kernel of a graph: what is not of the graph is refused", "[kernels]") {
  const auto graph = owned_graph(random_graph(12, 10, 5));
  for_graph_kernels([&](const LearnerEntry&, const GraphKernelOptions& options) {
    const GraphKernel kernel(graph, options, on_threads(1));
    CHECK(refusal_of([&] { kernel.columns({12}); }) == ErrorCode::bad_data);
    CHECK(refusal_of([&] { kernel.columns({-1}); }) == ErrorCode::bad_data);
    CHECK(refusal_of([&] { kernel.product(Block(11, 1)); }) == ErrorCode::bad_data);
    CHECK(refusal_of([&] { kernel.product(Block(12, 1, NAN)); }) == ErrorCode::bad_data);
    CHECK(refusal_of([&] { GraphKernel(nullptr, options); }) == ErrorCode::usage);
  });
}
