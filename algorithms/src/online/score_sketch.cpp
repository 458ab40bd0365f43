#include "online/score_sketch.hpp"

#include <algorithm>
#include <cmath>

namespace gssl::detail {
namespace {

constexpr int parts_of_octave = 8;
constexpr int octaves_beyond = 10;

double edge_of(int part) { return std::exp2(static_cast<double>(part) / parts_of_octave); }

}  // namespace

void ScoreSketch::add(double score, double times) {
  if (!std::isfinite(score * times)) {
    overflowed_ = true;
    return;
  }
  Part* part = &none_;
  if (score > 0.0) {
    least_ = std::min(least_, score);
    part = &parts_[static_cast<int>(std::floor(parts_of_octave * std::log2(score)))];
  }
  part->count += times;
  part->sum.add(score * times);
}

std::vector<ScoreSketch::HingeLoss> ScoreSketch::hinge_losses() const {
  if (overflowed_) return {{0.0, std::numeric_limits<double>::infinity()}};
  const auto at = [](double scale, const Part& below) {
    return HingeLoss{scale, std::max(0.0, below.count - scale * below.sum.value())};
  };
  if (parts_.empty()) return {at(0.0, none_)};
  std::vector<HingeLoss> losses = {at(1.0 / least_, none_)};
  Part below = none_;
  auto next = parts_.begin();
  const int last = parts_.rbegin()->first + 1 + octaves_beyond * parts_of_octave;
  for (int k = next->first + 1; k <= last; ++k) {
    for (; next != parts_.end() && next->first < k; ++next) {
      below.count += next->second.count;
      below.sum.add(next->second.sum.value());
    }
    losses.push_back(at(1.0 / edge_of(k), below));
  }
  return losses;
}

std::vector<ScoreSketch::Excess> ScoreSketch::excesses() const {
  if (overflowed_) return {{0.0, std::numeric_limits<double>::infinity()}};
  std::vector<Excess> found;
  Part above;
  for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) {
    const double top = edge_of(part->first + 1);
    found.push_back({top, std::max(0.0, above.sum.value() - top * above.count)});
    above.count += part->second.count;
    above.sum.add(part->second.sum.value());
  }
  found.push_back({0.0, above.sum.value()});
  return found;
}

}  // namespace gssl::detail
