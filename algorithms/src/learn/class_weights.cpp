#include <algorithm>
#include <cmath>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/suggestion.hpp"
#include "gssl/learn/trained_model.hpp"

namespace gssl {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::usage, "class weights: " + what);
}

// Of each class: what was told, or what makes all count alike.
std::vector<double> factors(const Targets& targets, const std::vector<double>& weights,
                            const ClassWeights& classes) {
  const std::vector<std::string>& names = targets.class_names();
  std::vector<double> factor(names.size(), 1.0);
  for (const auto& [name, weight] : classes.of_class) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) refuse("no class '" + name + "': " + suggestion(name, names));
    factor[static_cast<std::size_t>(found - names.begin())] = weight;
  }
  if (!classes.balanced) return factor;
  std::vector<double> total(names.size(), 0.0);
  double all = 0.0;
  for (std::size_t r = 0; r < targets.size(); ++r) {
    const double w = weights.empty() ? 1.0 : weights[r];
    total[static_cast<std::size_t>(targets.class_of()[r])] += w;
    all += w;
  }
  const auto present =
      static_cast<double>(std::ranges::count_if(total, [](double w) { return w > 0.0; }));
  for (std::size_t k = 0; k < factor.size(); ++k)
    if (total[k] > 0.0) factor[k] = all / (present * total[k]);
  return factor;
}

}  // namespace

std::string ClassWeights::echo() const {
  if (balanced) return "balanced";
  std::string text;
  for (const auto& [name, weight] : of_class)
    text += (text.empty() ? "" : ",") + name + "=" + to_text(weight);
  return text.empty() ? "none" : text;
}

ClassWeights parse_class_weights(const std::string& text) {
  ClassWeights classes;
  if (text == "balanced") return {.balanced = true};
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, comma - at);
    const std::size_t equals = part.rfind('=');
    const auto weight =
        equals == std::string::npos ? std::nullopt : parse_number<double>(part.substr(equals + 1));
    if (!weight || !(*weight >= 0.0) || !std::isfinite(*weight) || equals == 0)
      refuse("'" + part + "': expected balanced, or CLASS=WEIGHT by commas with weights >= 0");
    const std::string name = part.substr(0, equals);
    for (const auto& [other, unused] : classes.of_class)
      if (other == name) refuse("'" + name + "' is given twice");
    classes.of_class.emplace_back(name, *weight);
    at = comma + 1;
  }
  return classes;
}

std::vector<double> weigh_classes(const Targets& targets, const std::vector<double>& weights,
                                  const ClassWeights& classes) {
  if (!classes.given()) return weights;
  if (targets.is_regression()) refuse("the targets are real numbers, which have no classes");
  const std::vector<double> factor = factors(targets, weights, classes);
  std::vector<double> product =
      weights.empty() ? std::vector<double>(targets.size(), 1.0) : weights;
  for (std::size_t r = 0; r < product.size(); ++r)
    product[r] *= factor[static_cast<std::size_t>(targets.class_of()[r])];
  return product;
}

}  // namespace gssl
