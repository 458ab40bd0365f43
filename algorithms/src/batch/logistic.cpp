#include "gssl/batch/logistic.hpp"

#include <utility>

#include "batch/linear/margin_fit.hpp"
#include "gssl/batch/basis.hpp"
#include "gssl/core/option_binding.hpp"

namespace gssl {

namespace {

const OptionBinding<LogisticOptions>& logistic_binding() {
  static const auto options =
      OptionBinding<LogisticOptions>("logistic")
          .real(&LogisticOptions::c, "c", {.low = 0.0, .high = 1e100, .low_open = true},
                "what a unit of loss costs beside ½‖w‖²")
          .choice(&LogisticOptions::bias, "bias", bias_names(),
                  "a constant b: none, regularized like the weights, or free")
          .real(&LogisticOptions::tolerance, "tolerance",
                {.low = 0.0, .high = 1.0, .low_open = true},
                "duality gap to reach, as a share of the objective")
          .integer(&LogisticOptions::steps, "steps", {.low = 1}, "Newton steps at most");
  return options;
}

}  // namespace

void LogisticOptions::validate() const { logistic_binding().validate(*this); }

LogisticLearner::LogisticLearner(LogisticOptions options) : options_(options) {
  options_.validate();
}

Trained LogisticLearner::fit(const Dataset& data, const RunContext& run) const {
  detail::MarginFit fit;
  fit.learner = "logistic";
  fit.kind = LinearKind::logistic;
  fit.loss = detail::MarginLoss::logistic;
  fit.bias = options_.bias;
  fit.c = options_.c;
  fit.dual = false;
  fit.options = {options_.tolerance, options_.steps};
  return detail::fit_margins(fit, data, run);
}

LearnerEntry logistic_entry() {
  LearnerEntry entry;
  entry.name = "logistic";
  entry.summary = "probabilities from a linear function of the columns";
  entry.reference =
      "C.-J. Lin, R. Weng, S. Keerthi. Trust region Newton method for large-scale logistic "
      "regression. JMLR 9, 2008";
  entry.options = logistic_binding().table();
  entry.make_inductive = [](const OptionValues& values) {
    return std::make_unique<LogisticLearner>(logistic_binding().from(values));
  };
  entry.load_model = [](const Record& record) { return LinearModel::load("logistic", record); };
  return with_basis(std::move(entry));
}

}  // namespace gssl
