#include "stream_census.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/graph/vertex_names.hpp"

namespace gssl::tool {
namespace {

constexpr std::size_t most_classes = 1000;

// What to do where outcomes are numbers to be predicted.
std::string for_numbers(bool may_be_values) {
  return may_be_values ? "if they are numbers to be predicted, give --regression"
                       : "this learner predicts classes: take one that predicts numbers, such as "
                         "weighted-average of experts in [0, 1]";
}

bool is_fraction(std::string_view word) {
  const auto number = parse_number<double>(word);
  return number && *number != std::round(*number);
}

[[noreturn]] void refuse_third(const CensusOptions& options, const TrialReader& reader,
                               std::string_view word, const std::vector<std::string>& before) {
  const bool numbers = is_fraction(word) && is_fraction(before[0]) && is_fraction(before[1]);
  throw Error(ErrorCode::bad_data,
              fmt::format("{}:{}: '{}' is a third class, after {} and {}: {} takes two; {}",
                          reader.name(), reader.line(), word, before[0], before[1], options.learner,
                          numbers ? for_numbers(options.may_be_values)
                                  : "name them with --classes, or leave such rows out with "
                                    "--on-error skip"));
}

[[noreturn]] void refuse_many(bool may_be_values, const TrialReader& reader) {
  throw Error(ErrorCode::bad_data,
              fmt::format("{}:{}: more than {} different outcomes; {}", reader.name(),
                          reader.line(), most_classes, for_numbers(may_be_values)));
}

}  // namespace

StreamCensus stream_census(const std::string& path, const TrialReadOptions& read,
                           const CensusOptions& options, const RunContext& run) {
  TrialReader reader(LineStream(path, run), read);
  StreamCensus found;
  VertexNames rows, columns;
  OnlineTrial trial;
  const auto take = [&](std::string_view word) {
    if (!options.classes || word.empty() || found.classes.find(word)) return;
    if (options.two_classes && found.classes.names().size() == 2) {
      if (options.skip_errors) return;
      refuse_third(options, reader, word, found.classes.names());
    }
    found.classes.add(word);
    if (found.classes.names().size() > most_classes) refuse_many(options.may_be_values, reader);
  };
  for (;;) {
    try {
      if (!reader.next(trial)) break;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::bad_data) throw;
      continue;  // the trials come to this line again and say what is wrong
    }
    ++found.trials;
    if (trial.sparse && !trial.columns.empty())
      found.width = std::max(found.width, std::int64_t{trial.columns.back()} + 1);
    if (options.classes && options.is_taken && !options.is_taken(trial)) continue;
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
