#include "stream_census.hpp"

#include <fmt/format.h>

#include "gssl/core/error.hpp"
#include "gssl/graph/vertex_names.hpp"

namespace gssl::tool {
namespace {

constexpr std::size_t most_classes = 1000;

}  // namespace

StreamCensus stream_census(const std::string& path, const TrialReadOptions& read, bool classes,
                           bool may_be_values,
                           const std::function<bool(const OnlineTrial&)>& is_taken,
                           const RunContext& run) {
  TrialReader reader(LineStream(path, run), read);
  StreamCensus found;
  VertexNames rows, columns;
  OnlineTrial trial;
  const auto take = [&](std::string_view word) {
    if (!classes || word.empty() || found.classes.find(word)) return;
    found.classes.add(word);
    if (found.classes.names().size() > most_classes)
      throw Error(
          ErrorCode::bad_data,
          fmt::format("{}:{}: more than {} different outcomes; {}", reader.name(), reader.line(),
                      most_classes,
                      may_be_values ? "if they are numbers to be predicted, give --regression"
                                    : "this learner predicts classes: take one that predicts "
                                      "numbers, such as weighted-average of experts in [0, 1]"));
  };
  for (;;) {
    try {
      if (!reader.next(trial)) break;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::bad_data) throw;
      continue;  // the trials come to this line again and say what is wrong
    }
    ++found.trials;
    if (classes && is_taken && !is_taken(trial)) continue;
    take(trial.outcome);
    for (const std::string_view word : trial.texts) take(word);
    if (!trial.first.empty()) rows.insert(trial.first);
    if (!trial.second.empty()) columns.insert(trial.second);
  }
  found.classes.sort();
  found.rows = rows.size();
  found.columns = columns.size();
  return found;
}

}  // namespace gssl::tool
