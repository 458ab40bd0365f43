#include "layer_table.hpp"

#include <cmath>

#include "fields.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl {

std::vector<LayerWeight> parse_layer_weights(const std::string& text) {
  std::vector<LayerWeight> weights;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view one = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    // A name may hold '='; a weight does not.
    const std::size_t equals = one.rfind('=');
    const auto weight = equals == std::string_view::npos
                            ? std::nullopt
                            : parse_number<double>(detail::trimmed(one.substr(equals + 1)));
    if (!weight || !std::isfinite(*weight) || *weight < 0 || equals == 0)
      throw Error(ErrorCode::usage,
                  "weights of layers: '" + detail::shown(one) +
                      "' is no NAME=WEIGHT with a weight of 0 or more, as in a=1,b=0.3",
                  Remedy::layer_weights);
    const std::string_view name = detail::trimmed(one.substr(0, equals));
    for (const LayerWeight& other : weights)
      if (other.layer == name)
        throw Error(
            ErrorCode::usage,
            "weights of layers: layer '" + detail::shown(name) + "' is given twice; keep one",
            Remedy::layer_weights);
    weights.push_back({std::string(name), *weight});
  }
  return weights;
}

namespace detail {
namespace {

constexpr std::size_t most_untold = 10000;
constexpr std::size_t most_listed = 20;

}  // namespace

LayerTable::LayerTable(std::span<const LayerWeight> weights) : given_(!weights.empty()) {
  for (const LayerWeight& one : weights) layers_[one.layer] = {.weight = one.weight, .told = true};
}

double LayerTable::weight(std::string_view layer, const std::string& file) {
  auto found = layers_.find(layer);
  if (found == layers_.end()) {
    found = layers_.emplace(layer, Layer{.weight = given_ ? 0.0 : 1.0}).first;
    if (given_ && ++untold_ > most_untold) refuse(file);
  }
  Layer& own = found->second;
  if (own.number < 0) own.number = numbered_++;
  last_ = own.number;
  ++own.edges;
  return own.weight;
}

void LayerTable::check(const std::string& file) const {
  if (untold_ > 0) refuse(file);
}

void LayerTable::refuse(const std::string& file) const {
  std::string untold;
  for (const auto& [name, layer] : layers_) {
    if (layer.told) continue;
    if (!untold.empty()) {
      untold += ", …";
      break;
    }
    untold = shown(name);
  }
  throw Error(ErrorCode::bad_data,
              file + ": layers without a weight: " + untold + "; the file has " + seen() +
                  "; give each a weight, 0 to leave it out",
              Remedy::layer_weights);
}

std::string LayerTable::seen() const {
  std::string text;
  std::size_t listed = 0;
  for (const auto& [name, layer] : layers_) {
    if (layer.edges == 0) continue;
    if (listed++ == most_listed) return text + ", …";
    text += (text.empty() ? "" : ", ") + shown(name) + " (" + std::to_string(layer.edges) +
            (layer.edges == 1 ? " edge)" : " edges)");
  }
  return text.empty() ? "none" : text;
}

}  // namespace detail
}  // namespace gssl
