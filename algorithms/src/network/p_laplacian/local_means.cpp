#include "local_means.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "gssl/core/index.hpp"
#include "power_sums.hpp"

namespace gssl::detail {
namespace {

constexpr int most_sweeps = 1000;
constexpr std::int64_t most_walked = 5'000'000;  // edges of rows whose mean is looked for
// A p-mean is found to this part of what is allowed.
constexpr double close = 0.1;
constexpr int most_steps = 80;
// Rows between two looks at the clock.
constexpr std::size_t rows_between_looks = 512;

// The edges of each row, with a = w^{1/(p−1)} in place of w: powers of a|x − t| compare without
// overflow whatever p.
class Rows {
 public:
  Rows(const NetworkPiece& piece, std::span<const double> terminals, double p)
      : terminals_(terminals),
        exponent_(p - 1.0),
        power_(exponent_),
        first_(piece.row_of.size() + 1, 0) {
    const std::size_t edges = piece.from.size();
    for (std::size_t e = 0; e < edges; ++e) {
      ++first_[index(piece.from[e]) + 1];
      if (piece.inside(e)) ++first_[index(piece.to[e]) + 1];
    }
    for (std::size_t r = 1; r < first_.size(); ++r) first_[r] += first_[r - 1];
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    ends_.resize(first_.back());
    for (std::size_t e = 0; e < edges; ++e) {
      const double a = std::pow(piece.weight[e], 1.0 / exponent_);
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
    const Pulled from_below = pulled(here - near);
    if (from_below.sum < 0.0) {
      walked_ += std::ssize(pulls_);
      return root(low, here - near, root_of(from_below), near);
    }
    const Pulled from_above = pulled(here + near);
    if (!(from_above.sum > 0.0)) return here;
    walked_ += std::ssize(pulls_);
    return root(here + near, high, root_of(from_above), near);
  }

  // Calls body with each neighbor of row r that is a row.
  template <class Body>
  void visit_neighbors(std::size_t r, Body&& body) const {
    for (std::size_t e = first_[r]; e < first_[r + 1]; ++e)
      if (ends_[e].to >= 0) body(index(ends_[e].to));
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

  // Σ w |x − t|^{p−1} sgn(x − t), over that of `most` alone.
  struct Pulled {
    double sum = 0.0;
    double most = 0.0;
  };
  Pulled pulled(double t) const {
    double most = 0.0;
    for (const Pull& one : pulls_) most = std::max(most, one.a * std::abs(one.value - t));
    if (most == 0.0) return {};
    double sum = 0.0;
    for (const Pull& one : pulls_) {
      const double part = one.a * (one.value - t) / most;
      sum += std::copysign(power_(std::abs(part)), part);
    }
    return {sum, most};
  }
  // Its root of degree p − 1, with its sign: falls with t, almost as a line does.
  double root_of(const Pulled& at) const {
    return at.most * std::copysign(std::pow(std::abs(at.sum), 1.0 / exponent_), at.sum);
  }
  double pull(double t) const { return root_of(pulled(t)); }

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
  double exponent_;
  Power power_;
  std::vector<std::size_t> first_;
  std::vector<End> ends_;
  std::vector<Pull> pulls_;
  std::int64_t walked_ = 0;
};

// Sweeps over the rows that are not known to be at their p-mean: those that moved, and those
// beside one that moved, since they were looked at.
class LocalSweeps {
 public:
  LocalSweeps(Rows& rows, double near, std::vector<double>& potential, const RunContext& run)
      : rows_(rows), near_(near), potential_(potential), run_(run), open_(rows.size(), 1) {}

  // A sweep takes the rows in one order and the next in the other, so that news travel both ways.
  void run() {
    for (int sweep = 0; open_count_ > 0 && sweep < most_sweeps; ++sweep) {
      if (rows_.walked() > most_walked) return;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (i % rows_between_looks == 0 && run_.should_stop()) return;
        visit(sweep % 2 == 0 ? i : rows_.size() - 1 - i);
      }
    }
  }

  // The furthest that a row is from its p-mean; infinite if there was no time to look.
  double furthest() {
    double off = near_;
    for (std::size_t r = 0; open_count_ > 0 && r < rows_.size(); ++r) {
      if (r % rows_between_looks == 0 && run_.should_stop()) return HUGE_VAL;
      if (open_[r] != 0)
        off = std::max(off, std::abs(rows_.mean(r, potential_, near_) - potential_[r]));
    }
    return off;
  }

 private:
  void visit(std::size_t r) {
    if (open_[r] == 0) return;
    const double mean = rows_.mean(r, potential_, near_);
    if (mean == potential_[r]) {
      open_[r] = 0;
      --open_count_;
      return;
    }
    potential_[r] = mean;
    rows_.visit_neighbors(r, [&](std::size_t other) {
      open_count_ += open_[other] == 0 ? 1 : 0;
      open_[other] = 1;
    });
  }

  Rows& rows_;
  double near_;
  std::vector<double>& potential_;
  const RunContext& run_;
  std::vector<char> open_;
  std::size_t open_count_ = open_.size();
};

}  // namespace

double settle_at_local_means(const NetworkPiece& piece, std::span<const double> terminal_values,
                             double p, double tolerance, std::vector<double>& potential,
                             const RunContext& run) {
  const std::optional<TerminalRange> range = terminal_range(piece, terminal_values);
  if (!range) return 0.0;
  const double width = range->high - range->low;
  Rows rows(piece, terminal_values, p);
  LocalSweeps sweeps(rows, 0.5 * tolerance * width, potential, run);
  sweeps.run();
  return std::min(sweeps.furthest() / width, 1.0);
}

}  // namespace gssl::detail
