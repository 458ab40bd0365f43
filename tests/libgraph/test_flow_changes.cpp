// A flow goes on from what is there when capacities change, to what a fresh start gives.

#include "cut_support.hpp"
#include "gssl/graph/generators.hpp"
#include "support/catch.hpp"

using namespace gssl;
using namespace gssl::test;

TEST_CASE("capacities that replace the weights may be zero and cut the graph there") {
  // 0 −5− 1 −0− 2 −5− 3: entries of the rows in order
  const Graph graph = path_graph(4);
  const Terminals terminals = between(4, 0, 3);
  for (const FlowMethod method : methods) {
    MaxFlow problem(graph, terminals.source, terminals.sink, {.method = method});
    problem.set_capacity(0, 5.0);
    problem.set_capacity(3, 0.0);
    problem.set_capacity(4, 5.0);
    const MaxFlowReport found = problem.solve({});
    CHECK(found.flow == 0.0);
    CHECK(found.cut == 0.0);
    CHECK(bits(problem.source_side(CutSide::smallest_source)) == 0b0011);
    CHECK(bits(problem.source_side(CutSide::largest_source)) == 0b0011);
  }
}

TEST_CASE("edges that are narrowed and widened give what a fresh start on such a graph gives") {
  for (const FlowMethod method : methods)
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      CAPTURE(seed, to_string(method));
      Rng rng(seed, 3);
      const VertexId n = 10;
      const Graph graph = integer_graph(n, 25, seed, 9);
      const Terminals terminals = seed % 2 == 0 ? between(n, 0, n - 1) : random_terminals(n, rng);
      MaxFlow changed(graph, terminals.source, terminals.sink, {.method = method});
      std::vector<double> weights(graph.weight_array().begin(), graph.weight_array().end());
      for (int round = 0; round < 4; ++round) {
        if (round > 0) changed.solve({});
        for (VertexId u = 0; u < n; ++u)
          for (EdgeIndex e = graph.row_begin(u); e < graph.row_end(u); ++e) {
            const VertexId v = graph.neighbor_at(e);
            if (u > v || rng.below(3) == 0) continue;
            const auto value = static_cast<double>(1 + rng.below(12));
            changed.set_capacity(e, value);
            const auto row = graph.neighbors(v);
            const auto back = graph.row_begin(v) + (std::ranges::find(row, u) - row.begin());
            weights[std::size_t(e)] = weights[std::size_t(back)] = value;
          }
        const Graph fresh({graph.offset_array().begin(), graph.offset_array().end()},
                          {graph.neighbor_array().begin(), graph.neighbor_array().end()}, weights);
        const Cuts expected = all_cuts(fresh, terminals);
        const MaxFlowReport found = changed.solve({});
        CHECK(found.flow == expected.value);
        CHECK(found.cut == expected.value);
        CHECK(bits(changed.source_side(CutSide::smallest_source)) == expected.smallest);
        CHECK(bits(changed.source_side(CutSide::largest_source)) == expected.largest);
      }
      changed.reset(terminals.source, terminals.sink);  // capacities stay
      const Graph fresh({graph.offset_array().begin(), graph.offset_array().end()},
                        {graph.neighbor_array().begin(), graph.neighbor_array().end()}, weights);
      CHECK(changed.solve({}).flow == all_cuts(fresh, terminals).value);
    }
}

TEST_CASE("a flow that is reset gives what a fresh start gives") {
  for (const FlowMethod method : methods)
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      CAPTURE(seed, to_string(method));
      const Graph graph = integer_graph(12, 30, seed, 9);
      const Terminals first = between(12, 0, 11), second = between(12, 5, 6);
      MaxFlow again(graph, first.source, first.sink, {.method = method});
      const Cuts before = all_cuts(graph, first), expected = all_cuts(graph, second);
      CHECK(again.solve({}).flow == before.value);
      again.reset(second.source, second.sink);
      const MaxFlowReport found = again.solve({});
      CHECK(found.flow == expected.value);
      CHECK(found.cut == expected.value);
      CHECK(bits(again.source_side(CutSide::smallest_source)) == expected.smallest);
      CHECK(bits(again.source_side(CutSide::largest_source)) == expected.largest);
      const auto error = error_of([&] { again.reset(second.source, {}); });
      REQUIRE(error);
      CHECK(error->code() == ErrorCode::bad_data);
    }
}

TEST_CASE("labels added later give what a fresh start gives") {
  for (const FlowMethod method : methods)
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      CAPTURE(seed, to_string(method));
      Rng rng(seed, 7);
      const VertexId n = 12;
      const Graph graph = integer_graph(n, 30, seed, 9);
      Terminals terminals = between(n, 0, n - 1);
      MaxFlow grown(graph, terminals.source, terminals.sink, {.method = method});
      for (VertexId v = 1; v < n - 1; v += 2) {
        grown.solve({});
        Terminals more(n);
        const auto amount = rng.below(3) == 0 ? infinite : static_cast<double>(rng.below(9));
        if (rng.below(2) == 0) {
          more.from_source(v) = amount;
          more.to_sink(v) = static_cast<double>(rng.below(4));
        } else {
          more.to_sink(v) = amount;
          more.from_source(v) = static_cast<double>(rng.below(4));
        }
        grown.add(v, more.from_source(v), more.to_sink(v));
        terminals.from_source(v) += more.from_source(v);
        terminals.to_sink(v) += more.to_sink(v);
        const MaxFlowReport found = grown.solve({});
        const Cuts expected = all_cuts(graph, terminals);
        CHECK(found.flow == expected.value);
        CHECK(found.cut == expected.value);
        CHECK(bits(grown.source_side(CutSide::smallest_source)) == expected.smallest);
        CHECK(bits(grown.source_side(CutSide::largest_source)) == expected.largest);
      }
    }
}
