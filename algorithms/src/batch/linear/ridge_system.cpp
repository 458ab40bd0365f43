#include "batch/linear/ridge_system.hpp"

#include "batch/linear/square_solvers.hpp"

namespace gssl::detail {

bool RidgeSystem::suits(std::int64_t rows, const Points& points) {
  return !points.is_sparse() && points.columns() < rows;
}

RidgeSystem::RidgeSystem(const Dataset& data, Bias bias, const RunContext& run)
    : design_(data, bias),
      gram_(design_.column_gram(run)),
      right_(design_.transposed_times(design_.targets(), run.thread_count())),
      classes_(!data.targets.is_regression()),
      learned_(classes_ ? learned_classes(data.targets) : std::vector<std::int32_t>{}) {
  design_.release_rows();
}

std::unique_ptr<Model> RidgeSystem::model(double lambda, const RunContext& run) const {
  const std::optional<Matrix> factor = factored_gram(gram_, lambda, run);
  if (!factor) return nullptr;
  return std::make_unique<LinearModel>("ridge",
                                       classes_ ? LinearKind::each_class : LinearKind::value,
                                       design_.finish(solve_factored(*factor, right_)), learned_);
}

}  // namespace gssl::detail
