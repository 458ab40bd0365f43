// Models of a graph: what was found is what comes back; learners of kernels that are of both kinds.

#include "algorithms/fixtures.hpp"
#include "gssl/learn/graph_model.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

VertexNames letters(VertexId n) {
  VertexNames names;
  for (VertexId v = 0; v < n; ++v) names.insert(std::string_view("v" + std::to_string(v)));
  return names;
}

GraphModel example(const std::string& spec) {
  const Graph graph = random_graph(30, 20, 3, 2);
  const LabeledSet labeled = classes({0, 8, 14}, {0, 1, 1}, 2);
  return train_on_graph(made(spec), graph, letters(30), labeled, on_threads(1));
}

}  // namespace

TEST_CASE("a model of a graph keeps every answer to the byte", "[graph-model]") {
  for (const std::string spec : {"svm:kernel=diffusion(time=2)", "kernel-ridge", "harmonic"}) {
    const GraphModel model = example(spec);
    const Record record = model.to_record();
    const GraphModel again = GraphModel::from_record(record);
    CHECK(again.to_record().entries() == record.entries());
    CHECK(again.fit.scores.values == model.fit.scores.values);
    CHECK(again.fit.decision == model.fit.decision);
    CHECK(again.fit.scores.status[1] == VertexStatus::unreached);
    CHECK(again.spec == model.spec);
    const Fit some = again.answers({14, 3});
    CHECK(some.scores.status.front() == VertexStatus::given);
    CHECK(some.decision == std::vector<int>{model.fit.decision[14], model.fit.decision[3]});
    CHECK(some.scores.values(1, 1) == model.fit.scores.values(3, 1));
    CHECK(error_of([&] { again.answers({30}); })->code() == ErrorCode::bad_data);
  }
}

TEST_CASE("a record whose parts do not fit is no model of a graph", "[graph-model]") {
  const Record good = example("harmonic").to_record();
  const auto with = [&](const std::string& name, Record::Value value) {
    Record changed;
    for (const auto& [key, old] : good.entries()) changed.put_value(key, key == name ? value : old);
    const auto error = error_of([&] { GraphModel::from_record(changed); });
    return error && error->code() == ErrorCode::bad_data;
  };
  CHECK(with("decision", std::vector<std::int32_t>(30, 2)));
  CHECK(with("decision", std::vector<std::int32_t>(29, 0)));
  CHECK(with("status", std::vector<std::int32_t>(30, 9)));
  CHECK(with("confidence", std::vector<double>(30, 1.5)));
  CHECK(with("scores/shape", std::vector<std::int64_t>{20, 3}));
  CHECK(with("outcome", std::string("well")));
}

TEST_CASE("svr on a graph goes up along a path between its values", "[graph-model]") {
  const Graph path = graph_from_edges(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  const LabeledSet ends = LabeledSet::targets({0, 4}, {-1.0, 3.0});
  const MadeLearner learner = made("svr:kernel=pseudoinverse,c=1000,epsilon=0,tolerance=1e-10");
  const Fit fit = learner.transductive().fit(path, ends, on_threads(1));
  // The least energy between two values is the straight line: the harmonic answer.
  for (VertexId v = 0; v < 5; ++v) CHECK(fit.scores.values(v, 0) == Approx(-1.0 + v).margin(1e-6));
}
