#include "training_options.hpp"

#include "command_line.hpp"
#include "gssl/core/error.hpp"

namespace gssl::tool {

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
  place(verb.add_option("--calibrate", choices.calibrate,
                        "make scores probabilities by held-out folds: none, platt, isotonic or "
                        "temperature")
            ->type_name("METHOD")
            ->check(one_of({"none", "platt", "isotonic", "temperature"}))
            ->capture_default_str());
  place(verb.add_option("--calibration-folds", choices.folds, "how many folds")
            ->type_name("K")
            ->check(CLI::Validator(decimal_error, ""))
            ->check(CLI::Range(2, 1000).description(""))
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
