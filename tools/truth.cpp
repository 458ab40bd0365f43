#include "truth.hpp"

#include <algorithm>

namespace gssl::tool {
namespace {

// The classes of the labels in their order, then those that only the truth has, sorted.
std::vector<std::string> classes_of(const LabeledSet& labeled, const LabelFile& truth) {
  std::vector<std::string> names = labeled.class_names();
  std::vector<std::string> others;
  for (const std::string& name : truth.labels)
    if (std::ranges::find(names, name) == names.end()) others.push_back(name);
  std::ranges::sort(others);
  names.insert(names.end(), others.begin(), std::unique(others.begin(), others.end()));
  return names;
}

void compare_values(const Fit& fit, const LabelFile& truth, Agreement& found) {
  const LabeledSet targets = to_labeled_set(truth, true);
  std::vector<double> wanted, values;
  for (std::size_t i = 0; i < truth.vertices.size(); ++i) {
    const VertexId v = truth.vertices[i];
    const VertexStatus status = fit.scores.status[static_cast<std::size_t>(v)];
    if (status == VertexStatus::given) continue;
    ++found.measured;
    if (has_no_answer(status)) continue;
    wanted.push_back(targets.target_of()[i]);
    values.push_back(fit.scores.values(v, 0));
  }
  found.reached = static_cast<std::int64_t>(wanted.size());
  found.errors = value_errors(wanted, values);
}

void compare_classes(const Fit& fit, const LabeledSet& labeled, const LabelFile& truth,
                     Agreement& found) {
  found.class_names = classes_of(labeled, truth);
  found.classes = Confusion(static_cast<int>(found.class_names.size()));
  std::vector<double> confidence;
  std::vector<char> right;
  for (std::size_t i = 0; i < truth.vertices.size(); ++i) {
    const auto at = static_cast<std::size_t>(truth.vertices[i]);
    if (fit.scores.status[at] == VertexStatus::given) continue;
    const int wanted = static_cast<int>(std::ranges::find(found.class_names, truth.labels[i]) -
                                        found.class_names.begin());
    const int decided = answer_of(fit, truth.vertices[i]);
    found.classes.add(wanted, decided);
    if (decided == no_answer) continue;
    confidence.push_back(fit.confidence[at]);
    right.push_back(decided == wanted ? 1 : 0);
  }
  found.measured = found.classes.total();
  found.reached = found.classes.answered();
  found.accuracy = found.classes.accuracy();
  found.accuracy_reached = found.classes.accuracy_answered();
  found.calibration = reliability(confidence, right);
}

}  // namespace

Agreement compare_with_truth(const Fit& fit, const LabeledSet& labeled, const LabelFile& truth) {
  Agreement found;
  if (labeled.is_regression())
    compare_values(fit, truth, found);
  else
    compare_classes(fit, labeled, truth, found);
  return found;
}

}  // namespace gssl::tool
