#include <cmath>
#include <memory>
#include <vector>

#include "gssl/graph/graph.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;

// 0 −2− 1 −3− 2    3
TEST_CASE("a small graph answers what it is asked") {
  const Graph graph({0, 1, 3, 4, 4}, {1, 0, 2, 1}, {2, 2, 3, 3});
  CHECK(graph.vertex_count() == 4);
  CHECK(graph.edge_count() == 2);
  CHECK(graph.degree(1) == 2);
  CHECK(graph.degree(3) == 0);
  CHECK(graph.weighted_degree(1) == 5.0);
  CHECK(graph.weight(2, 1) == 3.0);
  CHECK(graph.weight(0, 2) == 0.0);
  CHECK_FALSE(graph.has_unit_weights());
  CHECK(Graph().vertex_count() == 0);
}

TEST_CASE("weights that are all 1 are not stored") {
  const Graph graph({0, 1, 2}, {1, 0}, {1, 1});
  CHECK(graph.has_unit_weights());
  CHECK(graph == Graph({0, 1, 2}, {1, 0}, {}));
  CHECK(graph.weight(0, 1) == 1.0);
  CHECK(graph.weighted_degree(0) == 1.0);
}

TEST_CASE("a graph with other weights shares the rows") {
  const Graph graph({0, 1, 3, 4}, {1, 0, 2, 1}, {2, 2, 3, 3});
  const Graph other = graph.with_weights({5, 5, 7, 7});
  CHECK(other == Graph({0, 1, 3, 4}, {1, 0, 2, 1}, {5, 5, 7, 7}));
  CHECK(other.neighbor_array().data() == graph.neighbor_array().data());
  CHECK(other.offset_array().data() == graph.offset_array().data());
  CHECK(graph.weight(0, 1) == 2.0);
  for (const Graph& unit : {graph.with_weights({}), other.with_weights({1, 1, 1, 1})}) {
    CHECK(unit.has_unit_weights());
    CHECK(unit.neighbor_array().data() == graph.neighbor_array().data());
  }
  // The rows outlive the graph they came from.
  Graph last;
  {
    const Graph first({0, 1, 2}, {1, 0}, {4, 4});
    last = first.with_weights({6, 6});
  }
  CHECK(last == Graph({0, 1, 2}, {1, 0}, {6, 6}));
  CHECK_THROWS_WITH(graph.with_weights({5, 5}), Catch::Contains("2 weights for 4 neighbors"));
  CHECK_THROWS_WITH(graph.with_weights({5, 6, 7, 7}), Catch::Contains("row "));
  CHECK_THROWS_WITH(graph.with_weights({5, 5, 0, 0}), Catch::Contains("row "));
}

TEST_CASE("a graph over arrays of another owner copies nothing and keeps the owner") {
  struct Arrays {
    std::vector<EdgeIndex> offsets{0, 1, 3, 4};
    std::vector<VertexId> neighbors{1, 0, 2, 1};
    std::vector<double> weights{2, 2, 3, 3};
  };
  auto arrays = std::make_shared<const Arrays>();
  const std::weak_ptr<const Arrays> watched = arrays;
  const Arrays& held = *arrays;
  auto graph = std::make_unique<Graph>(arrays, held.offsets, held.neighbors, held.weights);
  CHECK(graph->neighbor_array().data() == held.neighbors.data());
  CHECK(*graph == Graph({0, 1, 3, 4}, {1, 0, 2, 1}, {2, 2, 3, 3}));
  CHECK(Graph(arrays, held.offsets, held.neighbors, {}).has_unit_weights());

  const std::vector<double> one_sided = {2, 2, 3, 4};
  CHECK_THROWS_AS(Graph(arrays, held.offsets, held.neighbors, one_sided), Error);

  arrays.reset();
  const Graph copy = *graph;
  graph.reset();
  CHECK_FALSE(watched.expired());
  CHECK(copy.weight(1, 2) == 3.0);
}

TEST_CASE("every broken rule of the rows is refused with its place") {
  struct Case {
    std::vector<EdgeIndex> offsets;
    std::vector<VertexId> neighbors;
    std::vector<double> weights;
    std::string message;
  };
  const std::vector<Case> cases = {
      {{}, {}, {}, "empty"},
      {{1, 1}, {1}, {}, "start with 1"},
      {{0, 2, 1}, {1}, {}, "row 1: ends before it starts"},
      {{0, 1, 1}, {1, 0}, {}, "end with 1"},
      {{0, 1, 2}, {1, 0}, {1}, "1 weights for 2"},
      {{0, 1, 2}, {2, 0}, {}, "row 0: neighbor 2 is not in [0, 2)"},
      {{0, 1, 2}, {-1, 0}, {}, "row 0: neighbor -1 is not in"},
      {{0, 1, 2}, {0, 0}, {}, "row 0: self-loop"},
      {{0, 2, 4}, {1, 1, 0, 0}, {}, "row 0: neighbor 1 is there twice"},
      {{0, 2, 3, 4}, {2, 1, 0, 0}, {}, "row 0: neighbor 1 is out of order"},
      {{0, 1, 2}, {1, 0}, {0, 0}, "weight 0 to 1"},
      {{0, 1, 2}, {1, 0}, {NAN, NAN}, "must be finite"},
      {{0, 1, 2}, {1, 0}, {INFINITY, INFINITY}, "must be finite"},
      {{0, 1, 2}, {1, 0}, {2, 3}, "the two must be equal"},
      {{0, 1, 1}, {1}, {}, "row 0: has neighbor 1, which does not have it back"},
      {{0, 0, 1}, {0}, {}, "row 1: has neighbor 0, which does not have it back"},
      {{0, 1, 2, 3}, {1, 2, 0}, {}, "does not have it back"},
      {{0, 1, 3, 3}, {1, 0, 2}, {}, "row 1: has neighbor 2, which does not have it back"},
  };
  for (const Case& c : cases) {
    INFO(c.message);
    const auto error = test::error_of([&] { Graph(c.offsets, c.neighbors, c.weights); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
    CHECK_THAT(error->what(), Catch::Contains(c.message));
  }
}

}  // namespace
