// What a caller can get wrong is a usage error that says so, and not a bug of ours to be reported.
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/flow/max_flow.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/vertex_names.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;

namespace {

template <class Call>
bool is_usage(Call&& call) {
  const auto error = test::error_of(call);
  return error && error->code() == ErrorCode::usage;
}

}  // namespace

TEST_CASE("a block of a shape that cannot be is refused before memory is asked for") {
  constexpr std::int64_t many = std::int64_t{1} << 40;
  CHECK(is_usage([] { Block(many, many); }));
  CHECK(is_usage([] { Block(many, many / 1024); }));  // 2^70 values
  CHECK(is_usage([] { Block(std::int64_t{1} << 60, 1); }));
  CHECK(is_usage([] { Block(1, std::numeric_limits<std::int64_t>::max()); }));
  CHECK(is_usage([] { Block(-1, 2); }));
  CHECK(is_usage([] { Block(2, -1); }));
  CHECK(is_usage([] { Block(-2, -2); }));
  CHECK(Block(0, many).values().empty());
  CHECK(Block(many, 0).rows() == many);
}

TEST_CASE("a block takes a list without a copy, and its copies have values of their own") {
  std::vector<double> list = {1, 2, 3, 4, 5, 6};
  const double* where = list.data();
  Block block(2, 3, std::move(list));
  CHECK(block.data() == where);
  CHECK(block(1, 0) == 4.0);
  Block other = block;
  CHECK(other == block);
  other(1, 0) = 7.0;
  CHECK(block(1, 0) == 4.0);
  CHECK_FALSE(other == block);
  const Block moved = std::move(block);
  CHECK(moved.data() == where);
  CHECK(block.rows() == 0);  // NOLINT(bugprone-use-after-move): the header says what is left
  CHECK(block.values().empty());
  other = moved;
  CHECK(other == moved);
  CHECK(other.data() != where);
  CHECK(is_usage([] { Block(2, 3, std::vector<double>(5)); }));
}

TEST_CASE("a block that views the values of others reads and writes them, and keeps their owner") {
  auto owner = std::make_shared<std::vector<double>>(std::vector<double>{1, 2, 3, 4});
  const std::weak_ptr<std::vector<double>> alive = owner;
  {
    const std::span<double> values(*owner);
    Block block = Block::view(2, 2, values, std::move(owner));
    REQUIRE_FALSE(alive.expired());
    block(0, 1) = 20.0;
    CHECK((*alive.lock())[1] == 20.0);
    const Block copy = block;
    CHECK(copy.data() != block.data());
    const Block moved = std::move(block);
    CHECK(moved.data() == values.data());
    CHECK(moved == copy);
    CHECK(is_usage([&] { Block::view(3, 2, values); }));
  }
  CHECK(alive.expired());
}

TEST_CASE("a negative number of threads is refused") {
  RunContext run;
  run.threads = -2;
  CHECK(is_usage([&] { run.thread_count(); }));
  const GroundedLaplacian system(path_graph(5), {1, 0, 0, 0, 0});
  CHECK(is_usage([&] { make_solver(system, {}, run); }));
  run.threads = 0;
  CHECK(run.thread_count() >= 1);
}

TEST_CASE("a system or graph that is null is refused") {
  const std::shared_ptr<const GroundedLaplacian> none;
  Block x;
  CHECK(is_usage([&] { make_solver(none, {}, {}); }));
  CHECK(is_usage([&] { make_solver_and_solve(none, {}, Block(1, 1), x, {}); }));
  CHECK(is_usage(
      [&] { make_solver(GroundedLaplacian(path_graph(3), {}), {}, {})->updated(none, {}); }));
  CHECK(is_usage([] { GroundedLaplacian(std::shared_ptr<const Graph>(), {}); }));
}

TEST_CASE("a product wants a row for each vertex and a block of its own") {
  const GroundedLaplacian system(path_graph(3), {});
  Block x(3, 1), y;
  CHECK(is_usage([&] { system.apply(x, x); }));
  CHECK(is_usage([&] { system.apply(Block(4, 1), y); }));
  system.apply(x, y);
  CHECK(y.rows() == 3);
}

TEST_CASE("other weights without a ground are a system without a ground") {
  const GroundedLaplacian system(path_graph(3), {1, 0, 0});
  const GroundedLaplacian other = system.with_weights({2, 2, 5, 5}, {});
  CHECK(other.ground() == std::vector<double>{0, 0, 0});
  CHECK(other.diagonal() == std::vector<double>{2, 7, 5});
  CHECK(other.singular_count() == 1);
}

TEST_CASE("the sides of a cut are there once a flow is largest, and no longer after a change") {
  const Graph graph = path_graph(4);
  MaxFlow problem(graph, std::vector<double>{1, 0, 0, 0}, std::vector<double>{0, 0, 0, 1});
  const auto no_side = [&] {
    return is_usage([&] { problem.source_side(CutSide::smallest_source); }) &&
           is_usage([&] { problem.source_side(CutSide::largest_source); });
  };
  CHECK(no_side());
  CHECK(problem.solve().flow == 1.0);
  CHECK(problem.source_side(CutSide::smallest_source).size() == 4);
  problem.add(1, 3.0, 0.0);
  CHECK(no_side());
  problem.solve();
  problem.reset(std::vector<double>(4, 0.0), std::vector<double>(4, 0.0));
  CHECK(no_side());
  CHECK(is_usage([&] { problem.cut_value(std::vector<unsigned char>(3)); }));
  const Graph nothing;
  MaxFlow empty(nothing, {}, {});
  empty.solve();
  CHECK(empty.source_side(CutSide::smallest_source).empty());
}

TEST_CASE("a component or name that does not exist is refused") {
  const Graph graph = path_graph(3);
  const Components components = connected_components(graph);
  const ComponentGraphs parts(graph, components);
  CHECK(is_usage([&] { parts[1]; }));
  CHECK(is_usage([&] { parts[-1]; }));
  VertexNames names;
  names.insert("a");
  CHECK(is_usage([&] { names.name(1); }));
  CHECK(is_usage([&] { names.name(no_vertex); }));
}
