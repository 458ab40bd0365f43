#include "gssl/batch/linear_svm.hpp"

#include <utility>

#include "batch/linear/margin_fit.hpp"
#include "gssl/batch/basis.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/option_binding.hpp"

namespace gssl {

namespace {

const OptionBinding<LinearSvmOptions>& linear_svm_binding() {
  static const auto options =
      OptionBinding<LinearSvmOptions>("linear-svm")
          .real(&LinearSvmOptions::c, "c", {.low = 0.0, .high = 1e100, .low_open = true},
                "what a unit of loss costs beside ½‖w‖²")
          .choice(&LinearSvmOptions::loss, "loss",
                  {{SvmLoss::hinge, "hinge"}, {SvmLoss::squared_hinge, "squared-hinge"}},
                  "of a margin m: max(0, 1−m), or its square")
          .choice(&LinearSvmOptions::bias, "bias", bias_names(),
                  "a constant b: none, regularized like the weights, or free")
          .choice(
              &LinearSvmOptions::solver, "solver",
              {{SvmSolver::automatic, "automatic"},
               {SvmSolver::dual, "dual"},
               {SvmSolver::newton, "newton"}},
              "newton: squared hinge, automatic there; of the hinge automatic leaves slow passes "
              "for interior points")
          .real(&LinearSvmOptions::tolerance, "tolerance",
                {.low = 0.0, .high = 1.0, .low_open = true},
                "duality gap to reach, as a share of the objective")
          .integer(&LinearSvmOptions::passes, "passes", {.low = 1},
                   "over the rows, or Newton steps, at most");
  return options;
}

}  // namespace

void LinearSvmOptions::validate() const { linear_svm_binding().validate(*this); }

LinearSvmLearner::LinearSvmLearner(LinearSvmOptions options) : options_(options) {
  options_.validate();
  if (options_.loss == SvmLoss::hinge && options_.solver == SvmSolver::newton)
    throw Error(ErrorCode::usage,
                "linear-svm: option solver=newton: the hinge has no second derivative; take "
                "loss=squared-hinge or solver=dual");
}

Trained LinearSvmLearner::fit(const Dataset& data, const RunContext& run) const {
  detail::MarginFit fit;
  fit.learner = "linear-svm";
  fit.loss = options_.loss == SvmLoss::hinge ? detail::MarginLoss::hinge
                                             : detail::MarginLoss::squared_hinge;
  fit.bias = options_.bias;
  fit.c = options_.c;
  fit.dual = options_.loss == SvmLoss::hinge || options_.solver == SvmSolver::dual;
  fit.interior = options_.loss == SvmLoss::hinge && options_.solver == SvmSolver::automatic;
  fit.options = {options_.tolerance, options_.passes};
  return detail::fit_margins(fit, data, run);
}

LearnerEntry linear_svm_entry() {
  LearnerEntry entry;
  entry.name = "linear-svm";
  entry.summary = "a separating hyperplane of large margin, for many sparse rows";
  entry.reference =
      "C.-J. Hsieh et al. A dual coordinate descent method for large-scale linear SVM. ICML 2008, "
      "doi:10.1145/1390156.1390208";
  entry.options = linear_svm_binding().table();
  entry.make_inductive = [](const OptionValues& values) {
    return std::make_unique<LinearSvmLearner>(linear_svm_binding().from(values));
  };
  entry.load_model = [](const Record& record) { return LinearModel::load("linear-svm", record); };
  return with_basis(std::move(entry));
}

}  // namespace gssl
