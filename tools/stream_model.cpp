#include "stream_model.hpp"

#include <fmt/format.h>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::tool {
namespace {

// A row of zeros: numbers that need no encoding.
ColumnEncoding encoding_of(const StreamColumns& columns) {
  FeatureTable table;
  table.names = columns.names;
  table.by_index = columns.sparse;
  table.points = columns.sparse
                     ? Points::sparse(1, columns.count, {0, 0}, {}, std::vector<double>{})
                     : Points::dense(1, columns.count,
                                     std::vector<double>(static_cast<std::size_t>(columns.count)));
  return ColumnEncoding::fit(table);
}

}  // namespace

void check_leaves_model(const MadeLearner& made) {
  if (made.online().instance_kind() == InstanceKind::row && made.entry->load_model) return;
  throw Error(ErrorCode::usage,
              fmt::format("--model: {} leaves no model for new rows: learners such as perceptron "
                          "do; --save keeps what any learner has learned",
                          made.entry->name));
}

TrainedModel stream_model(const Session& session, const MadeLearner& made, const TrialLoop& loop,
                          const std::string& label_column) {
  const OnlineReport report = loop.report();
  TrainedModel model;
  model.learner = made.entry->name;
  model.spec = made.spec;
  model.encoding = encoding_of(loop.columns());
  model.regression = !loop.classes();
  if (loop.classes()) model.class_names = loop.classes()->names();
  model.label_column = label_column;
  model.training_rows = report.trials;
  model.seed = session.run.seed;
  model.outcome = session.run.stop().value_or(Outcome::converged);
  model.sentence = fmt::format("{}: {} trials of a stream, {} {}", made.entry->name, report.trials,
                               to_brief_text(report.loss), report.loss_name);
  model.certificates = report.certificates;
  model.warnings = report.warnings;
  model.model = loop.model();
  return model;
}

}  // namespace gssl::tool
