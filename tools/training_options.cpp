#include "training_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/kernel/kernel_method.hpp"
#include "gssl/learn/calibration.hpp"

namespace gssl::tool {
namespace {

// Whether its answer, or the time that it takes, hangs on the units of the columns. Winnow wants
// features in [0, 1].
bool minds_scales(const MadeLearner& learner) {
  const std::string& name = learner.entry->name;
  return learner.as<KernelMethod>() != nullptr || name == "linear-svm" ||
         (learner.entry->make_online && !name.ends_with("winnow"));
}

// Whether its kernel looks at differences of rows alone.
bool is_shift_invariant(const MadeLearner& learner) {
  const auto* method = learner.as<KernelMethod>();
  if (method == nullptr) return false;
  const std::string kernel = method->fixed_kernel();
  return kernel.empty() || kernel.starts_with("gaussian");
}

struct ColumnSize {
  double deviation;
  double mean;
  std::int64_t column;
};

// Of each column of numbers that varies; none of a sparse table.
std::vector<ColumnSize> column_sizes(const FeatureTable& table) {
  std::vector<ColumnSize> found;
  if (table.columns.empty() && table.points.is_sparse()) return found;
  for (std::int64_t c = 0; c < table.column_count(); ++c) {
    const auto at = static_cast<std::size_t>(c);
    if (!table.columns.empty() && table.columns[at].of_words) continue;
    double count = 0.0, mean = 0.0, squares = 0.0;
    for (std::int64_t r = 0; r < table.row_count(); ++r) {
      const double x = table.columns.empty()
                           ? table.points.value(static_cast<VertexId>(r), c)
                           : table.columns[at].numbers[static_cast<std::size_t>(r)];
      if (std::isnan(x)) continue;
      const double off = x - mean;
      mean += off / ++count;
      squares += off * (x - mean);
    }
    if (squares > 0.0 && std::isfinite(squares))
      found.push_back({std::sqrt(squares / count), mean, c});
  }
  return found;
}

}  // namespace

void warn_of_scales(Session& session, const MadeLearner& learner, const FeatureTable& table,
                    bool standardize) {
  // Products of columns so far from 0 lose ten of sixteen digits.
  constexpr double far_apart = 100.0, far_off = 5.0, loses_digits = 1e5;
  if (standardize || !minds_scales(learner)) return;
  const std::vector<ColumnSize> sizes = column_sizes(table);
  if (sizes.empty()) return;
  const auto [least, most] = std::ranges::minmax_element(sizes, {}, &ColumnSize::deviation);
  const auto offset = [](const ColumnSize& size) { return std::abs(size.mean) / size.deviation; };
  const auto away = std::ranges::max_element(sizes, {}, offset);
  std::string what;
  if (most->deviation >= far_apart * least->deviation)
    what = fmt::format("{} varies {} times as much as {}", table.column_name(most->column),
                       to_brief_text(std::round(most->deviation / least->deviation)),
                       table.column_name(least->column));
  else if (offset(*away) >= (learner.entry->make_online ? far_off : loses_digits) &&
           !is_shift_invariant(learner))
    what = fmt::format("the mean of {} is {} times its deviation away from 0",
                       table.column_name(away->column), to_brief_text(std::round(offset(*away))));
  else
    return;
  session.warn(fmt::format("{}: {} learns better, and ends sooner, with --standardize", what,
                           learner.entry->name));
}

void add_training_options(CLI::App& verb, TrainingChoices& choices, const std::string& group) {
  const auto place = [&](CLI::Option* option) {
    return group.empty() ? option : option->group(group);
  };
  place(verb.add_flag("--standardize", choices.standardize,
                      "columns of numbers to mean 0 and standard deviation 1, as the training rows "
                      "have them"));
  place(verb.add_option("--class-weight", choices.class_weight,
                        "balanced, or CLASS=WEIGHT by commas: how much the rows of a class count")
            ->type_name("WEIGHTS"));
  CLI::Option* calibrate =
      place(verb.add_option("--calibrate", choices.calibrate,
                            "make scores probabilities by held-out folds: none, platt, isotonic or "
                            "temperature")
                ->type_name("METHOD")
                ->check(one_of(names_of<CalibrationMethod>.all()))
                ->capture_default_str());
  place(verb.add_option("--calibration-folds", choices.folds, "how many folds")
            ->type_name("K")
            ->check(CLI::Validator(decimal_error, ""))
            ->check(CLI::Range(2, 1000).description(""))
            ->needs(calibrate)
            ->capture_default_str());
}

TrainingOptions training_options(const TrainingChoices& choices, bool regression) {
  TrainingOptions training;
  training.encoding.standardize = choices.standardize;
  training.calibrate = calibration_method_named(choices.calibrate);
  training.calibration_folds = choices.folds;
  if (!choices.class_weight.empty())
    training.class_weights = parse_class_weights(choices.class_weight);
  if (regression && training.class_weights.given())
    throw Error(ErrorCode::usage, "--class-weight: not with --regression");
  if (regression && training.calibrate != CalibrationMethod::none)
    throw Error(ErrorCode::usage, "--calibrate: not with --regression");
  return training;
}

}  // namespace gssl::tool
