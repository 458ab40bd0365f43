#pragma once
// Weights of the arcs that a rank has: nothing where all are 1, a byte each where all are small whole
// numbers, as of edges that came several times, and a double otherwise.
//
//   ArcWeights weights;
//   weights.put(e, 2.0, arcs);  // the others are 1
//   weights[e];

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gssl::mpi {

class ArcWeights {
 public:
  bool empty() const { return doubles_.empty() && bytes_.empty(); }  // all are 1
  bool are_doubles() const { return !doubles_.empty(); }
  bool are_bytes() const { return !bytes_.empty(); }
  double operator[](std::size_t arc) const {
    return bytes_.empty() ? doubles_[arc] : static_cast<double>(bytes_[arc]);
  }

  // Weight `arc` of `arcs`, of which there may be fewer later.
  void put(std::size_t arc, double weight, std::size_t arcs) {
    if (empty()) {
      if (weight == 1.0) return;
      bytes_.assign(arcs, 1);
    }
    if (are_doubles()) {
      doubles_[arc] = weight;
    } else if (fits(weight)) {
      bytes_[arc] = static_cast<std::uint8_t>(weight);
    } else {
      doubles_.assign(bytes_.begin(), bytes_.end());
      bytes_ = {};
      doubles_[arc] = weight;
    }
  }

  void take(std::vector<double> weights) {
    doubles_ = std::move(weights);
    bytes_ = {};
  }
  // Doubles become bytes where all of them are small whole numbers.
  void pack() {
    if (!are_doubles() || !std::ranges::all_of(doubles_, fits)) return;
    bytes_.reserve(doubles_.size());
    for (const double weight : doubles_) bytes_.push_back(static_cast<std::uint8_t>(weight));
    doubles_ = {};
  }
  void resize(std::size_t arcs) {
    if (are_doubles()) doubles_.resize(arcs);
    if (are_bytes()) bytes_.resize(arcs);
  }
  void clear() { *this = {}; }

  double* doubles() { return doubles_.data(); }
  const double* doubles() const { return doubles_.data(); }
  const std::uint8_t* bytes() const { return bytes_.data(); }

 private:
  static bool fits(double weight) {
    constexpr double most = 255.0;
    return weight >= 0.0 && weight <= most && static_cast<std::uint8_t>(weight) == weight;
  }

  std::vector<double> doubles_;
  std::vector<std::uint8_t> bytes_;  // one of the two is empty
};

}  // namespace gssl::mpi
