#include "relaxation.hpp"

#include <algorithm>

#include "gssl/core/index.hpp"

namespace gssl::detail {
namespace {

// Steps of a round gain at least this part of what the best of them does.
constexpr double least_gain = 0.25;

}  // namespace

Relaxation::Relaxation(const Graph& graph, const std::vector<double>& degree)
    : graph_(graph),
      degree_(degree),
      c_(degree.size(), 0.0),
      touched_(degree.size(), 0),
      waiting_(degree.size(), 0) {}

double Relaxation::squared_step(VertexId v) const {
  const double step = c_[index(v)] / degree_[index(v)];
  return step * step;
}

void Relaxation::touch(VertexId v) {
  if (touched_[index(v)] != 0) return;
  touched_[index(v)] = 1;
  reached_.push_back(v);
}

void Relaxation::step(VertexId v, double threshold) {
  const double change = c_[index(v)] / degree_[index(v)];
  energy_ += c_[index(v)] * change;
  sum_ += change;
  c_[index(v)] = 0.0;
  visits_ += graph_.degree(v);
  graph_.visit_row(v, [&](VertexId u, double w) {
    touch(u);
    c_[index(u)] += w * change;
    if (waiting_[index(u)] != 0 || squared_step(u) <= threshold) return;
    waiting_[index(u)] = 1;
    queue_.push_back(u);
  });
}

void Relaxation::start(const VertexPair& b) {
  for (const VertexId v : reached_) c_[index(v)] = 0.0, touched_[index(v)] = 0;
  reached_.clear();
  energy_ = sum_ = 0.0;
  visits_ = 0;
  touch(b.u);
  c_[index(b.u)] = 1.0;
  if (b.v != no_vertex) touch(b.v), c_[index(b.v)] = -1.0;
}

void Relaxation::reduce(double share, std::int64_t most_visits) {
  while (true) {
    double left = 0.0, best = 0.0;
    for (const VertexId v : reached_) {
      left += c_[index(v)] * c_[index(v)] / degree_[index(v)];
      best = std::max(best, squared_step(v));
    }
    visits_ += static_cast<std::int64_t>(reached_.size());
    if (left <= share * energy_ || best == 0.0 || visits_ >= most_visits) break;
    const double threshold = least_gain * best;
    queue_.clear();
    for (const VertexId v : reached_)
      if (squared_step(v) > threshold) waiting_[index(v)] = 1, queue_.push_back(v);
    std::size_t next = 0;
    for (; next < queue_.size() && visits_ < most_visits; ++next) {
      const VertexId v = queue_[next];
      waiting_[index(v)] = 0;
      step(v, threshold);
    }
    for (; next < queue_.size(); ++next) waiting_[index(queue_[next])] = 0;
  }
}

std::vector<std::pair<VertexId, double>> Relaxation::remainder() const {
  std::vector<std::pair<VertexId, double>> remainder;
  for (const VertexId v : reached_)
    if (c_[index(v)] != 0.0) remainder.push_back({v, c_[index(v)]});
  return remainder;
}

}  // namespace gssl::detail
