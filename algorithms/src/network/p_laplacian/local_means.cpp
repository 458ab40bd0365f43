#include "local_means.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "gssl/core/index.hpp"

namespace gssl::detail {
namespace {

constexpr int most_sweeps = 1000;
constexpr std::int64_t most_walked = 5'000'000;  // edges of rows whose mean is looked for
// A p-mean is found to this part of what is allowed, in about ten steps.
constexpr double close = 0.01;
constexpr int most_steps = 80;

// The edges of each row, with a = w^{1/(p−1)} in place of w: powers of a|x − t| compare without
// overflow whatever p.
class Rows {
 public:
  Rows(const NetworkPiece& piece, std::span<const double> terminals, double p)
      : terminals_(terminals), power_(p - 1.0), first_(piece.row_of.size() + 1, 0) {
    const std::size_t edges = piece.from.size();
    for (std::size_t e = 0; e < edges; ++e) {
      ++first_[index(piece.from[e]) + 1];
      if (piece.inside(e)) ++first_[index(piece.to[e]) + 1];
    }
    for (std::size_t r = 1; r < first_.size(); ++r) first_[r] += first_[r - 1];
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    ends_.resize(first_.back());
    for (std::size_t e = 0; e < edges; ++e) {
      const double a = std::pow(piece.weight[e], 1.0 / power_);
      ends_[next[index(piece.from[e])]++] = {piece.to[e], a};
      if (piece.inside(e)) ends_[next[index(piece.to[e])]++] = {piece.from[e], a};
    }
  }

  std::size_t size() const { return first_.size() - 1; }

  // The p-mean of the neighbors of row r; x[r] itself if it is that near.
  double mean(std::size_t r, const std::vector<double>& x, double near) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    look(r, x, low, high);
    const double here = x[r];
    const double from_below = pull(here - near), from_above = pull(here + near);
    if (!(from_below < 0.0) && !(from_above > 0.0)) return here;
    walked_ += std::ssize(pulls_);
    return from_below < 0.0 ? root(low, here - near, from_below, near)
                            : root(here + near, high, from_above, near);
  }

  std::int64_t walked() const { return walked_; }

 private:
  struct End {
    VertexId to = 0;
    double a = 0.0;
  };
  struct Pull {
    double value = 0.0, a = 0.0;
  };

  // The neighbors of row r, and their least and greatest potential.
  void look(std::size_t r, const std::vector<double>& x, double& low, double& high) {
    pulls_.clear();
    for (std::size_t e = first_[r]; e < first_[r + 1]; ++e) {
      const VertexId to = ends_[e].to;
      const double value = to >= 0 ? x[index(to)] : terminals_[index(-1 - to)];
      pulls_.push_back({value, ends_[e].a});
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }

  // (Σ w |x − t|^{p−1} sgn(x − t))^{1/(p−1)}, with its sign: falls with t, almost as a line does.
  double pull(double t) const {
    double most = 0.0;
    for (const Pull& one : pulls_) most = std::max(most, one.a * std::abs(one.value - t));
    if (most == 0.0) return 0.0;
    double sum = 0.0;
    for (const Pull& one : pulls_) {
      const double part = one.a * (one.value - t) / most;
      sum += std::copysign(std::pow(std::abs(part), power_), part);
    }
    return most * std::copysign(std::pow(std::abs(sum), 1.0 / power_), sum);
  }

  // Where the pull changes sign between two places, within a small part of `near`; `known` is the
  // pull at the one of them that is nearer to where the row was. False position, halving what an
  // end that stays behind counts (Dowell and Jarratt 1971, doi:10.1007/BF01934364).
  double root(double left, double right, double known, double near) const {
    double at_left = known > 0.0 ? known : pull(left);
    double at_right = known > 0.0 ? pull(right) : known;
    int last = 0;
    for (int i = 0; i < most_steps && right - left > close * near; ++i) {
      double t = (at_left * right - at_right * left) / (at_left - at_right);
      if (!(t > left && t < right)) t = left + 0.5 * (right - left);
      const double here = pull(t);
      if (here == 0.0) return t;
      if (here > 0.0) {
        left = t;
        at_left = here;
        if (last > 0) at_right *= 0.5;
        last = 1;
      } else {
        right = t;
        at_right = here;
        if (last < 0) at_left *= 0.5;
        last = -1;
      }
    }
    return left + 0.5 * (right - left);
  }

  std::span<const double> terminals_;
  double power_;
  std::vector<std::size_t> first_;
  std::vector<End> ends_;
  std::vector<Pull> pulls_;
  std::int64_t walked_ = 0;
};

}  // namespace

double settle_at_local_means(const NetworkPiece& piece, std::span<const double> terminal_values,
                             double p, double tolerance, std::vector<double>& potential,
                             const RunContext& run) {
  const std::optional<TerminalRange> range = terminal_range(piece, terminal_values);
  if (!range) return 0.0;
  const double width = range->high - range->low;
  Rows rows(piece, terminal_values, p);
  const double near = 0.5 * tolerance * width;
  // A sweep takes them in one order and the next in the other, so that news travel both ways.
  bool settled = false;
  for (int sweep = 0; !settled && sweep < most_sweeps; ++sweep) {
    if (run.should_stop() || rows.walked() > most_walked) break;
    settled = true;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t r = sweep % 2 == 0 ? i : rows.size() - 1 - i;
      const double mean = rows.mean(r, potential, near);
      settled = settled && mean == potential[r];
      potential[r] = mean;
    }
  }
  double off = 0.5 * tolerance;
  for (std::size_t r = 0; !settled && r < rows.size(); ++r)
    off = std::max(off, std::abs(rows.mean(r, potential, near) - potential[r]) / width);
  return off;
}

}  // namespace gssl::detail
