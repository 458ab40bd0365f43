#include "singular_part.hpp"

#include <algorithm>
#include <utility>

#include "gssl/core/index.hpp"

namespace gssl::solve {
SingularPart::SingularPart(SharedSystem system) : system_(std::move(system)), pinned_(system_) {
  if (system_->singular_count() == 0) return;
  const Components& components = system_->components();
  const std::vector<double>& diagonal = system_->diagonal();
  pin_.assign(index(components.count), no_vertex);
  // The heaviest vertex: its pin is the strongest that leaves the scale of the matrix alone.
  for (VertexId v = 0; v < system_->size(); ++v) {
    const VertexId k = components.of[index(v)];
    if (!system_->singular()[index(k)]) continue;
    VertexId& pin = pin_[index(k)];
    if (pin == no_vertex || diagonal[index(v)] > diagonal[index(pin)]) pin = v;
    largest_ = std::max(largest_, components.sizes[index(k)]);
  }
  std::vector<double> extra(diagonal.size(), 0.0);
  for (const VertexId pin : pin_)
    if (pin != no_vertex)
      extra[index(pin)] = diagonal[index(pin)] > 0.0 ? diagonal[index(pin)] : 1.0;
  pinned_ = std::make_shared<const GroundedLaplacian>(system_->with_extra_ground(extra));
}

void SingularPart::subtract(Block& b, const Block& offset) const {
  const Components& components = system_->components();
  for (VertexId v = 0; v < system_->size(); ++v) {
    const VertexId k = components.of[index(v)];
    if (pin_[index(k)] == no_vertex) continue;
    for (std::int64_t j = 0; j < b.columns(); ++j) b(v, j) -= offset(k, j);
  }
}

void SingularPart::project(Block& b) const {
  if (pin_.empty()) return;
  const Components& components = system_->components();
  Block mean(components.count, b.columns());
  for (VertexId v = 0; v < system_->size(); ++v)
    for (std::int64_t j = 0; j < b.columns(); ++j) mean(components.of[index(v)], j) += b(v, j);
  for (VertexId k = 0; k < components.count; ++k)
    for (double& value : mean.row(k)) value /= components.sizes[index(k)];
  subtract(b, mean);
}

void SingularPart::shift_to_pin(Block& x) const {
  if (pin_.empty()) return;
  Block at_pin(static_cast<std::int64_t>(pin_.size()), x.columns());
  for (std::size_t k = 0; k < pin_.size(); ++k)
    if (pin_[k] != no_vertex)
      std::ranges::copy(x.row(pin_[k]), at_pin.row(static_cast<std::int64_t>(k)).begin());
  subtract(x, at_pin);
}

}  // namespace gssl::solve
