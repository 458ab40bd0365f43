#pragma once
// The layers of one file (kinds of edges, predicates), what they weigh and how many edges each has.
//
//   LayerTable layers(options.layers);
//   edges.add(u, v, weight * layers.weight(name), layers.last());
//   layers.check(source.name());             // after the last edge

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "gssl/io/graph_reader.hpp"

namespace gssl::detail {

class LayerTable {
 public:
  // Without weights every layer weighs 1.
  explicit LayerTable(std::span<const LayerWeight> weights);

  // The number of the layer that weight() was last asked of, from 0 by first appearance.
  std::int32_t last() const { return last_; }

  bool given() const { return given_; }
  bool knows(std::string_view layer) const { return layers_.find(layer) != layers_.end(); }

  // Counts an edge of the layer; 0 where it has no weight, which check() tells later. Throws
  // ErrorCode::bad_data at once past 10,000 such layers.
  double weight(std::string_view layer, const std::string& file);

  // Throws ErrorCode::bad_data with all layers seen and their numbers of edges if one has no
  // weight.
  void check(const std::string& file) const;

  // "cites 10, knows 3": layers with their numbers of edges, in the order of the alphabet.
  std::string seen() const;
  std::size_t count() const { return layers_.size(); }

 private:
  struct Layer {
    double weight = 1.0;
    bool told = false;
    std::int64_t edges = 0;
    std::int32_t number = -1;  // −1: no edge yet
  };
  [[noreturn]] void refuse(const std::string& file) const;

  std::map<std::string, Layer, std::less<>> layers_;
  std::int32_t numbered_ = 0;
  std::int32_t last_ = 0;
  std::size_t untold_ = 0;
  bool given_ = false;
};

}  // namespace gssl::detail
