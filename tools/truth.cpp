#include "truth.hpp"

#include <cmath>

namespace gssl::tool {

Agreement compare_with_truth(const Fit& fit, const LabeledSet& labeled, const LabelFile& truth) {
  const LabeledSet targets = labeled.is_regression() ? to_labeled_set(truth, true) : LabeledSet();
  Agreement found;
  std::int64_t right = 0;
  double squares = 0.0;
  for (std::size_t i = 0; i < truth.vertices.size(); ++i) {
    const VertexId v = truth.vertices[i];
    const auto at = static_cast<std::size_t>(v);
    const VertexStatus status = fit.scores.status[at];
    if (status == VertexStatus::given) continue;
    ++found.measured;
    if (has_no_answer(status)) continue;
    ++found.reached;
    if (labeled.is_regression()) {
      const double error = fit.scores.values(v, 0) - targets.target_of()[i];
      squares += error * error;
    } else {
      const auto decided = static_cast<std::size_t>(fit.decision[at]);
      right += labeled.class_names()[decided] == truth.labels[i] ? 1 : 0;
    }
  }
  const auto share = [](double part, std::int64_t whole) {
    return whole == 0 ? Agreement::nothing : part / static_cast<double>(whole);
  };
  if (labeled.is_regression()) {
    found.rmse = std::sqrt(share(squares, found.reached));
  } else {
    found.accuracy = share(static_cast<double>(right), found.measured);
    found.accuracy_reached = share(static_cast<double>(right), found.reached);
  }
  return found;
}

}  // namespace gssl::tool
