#include "solve_columns.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "substitute.hpp"

namespace gssl::solve {
namespace {

// x has a row of `lanes` values for each position.
class Substitution {
 public:
  Substitution(const FactoredNetwork& network, int lanes, int threads)
      : network_(network), s_(network.structure), lanes_(lanes), threads_(threads) {}

  void run(double* x) const {
    std::vector<std::vector<double>> handed(s_.subtrees.size());
    each_subtree(
        [&](std::int64_t i) { forward_subtree(s_.subtrees[index(i)], x, handed[index(i)]); });
    for (std::size_t i = 0; i < handed.size(); ++i) {
      const double* from = handed[i].data();
      for (const VertexId row : s_.rows_below(s_.subtrees[i]))
        for (int j = 0; j < lanes_; ++j) x[row * std::int64_t{lanes_} + j] += *from++;
    }
    for (const VertexId k : s_.top) substitute_forward(lanes_, part(k), x, nullptr);
    for (auto k = s_.top.rbegin(); k != s_.top.rend(); ++k) substitute_back(lanes_, part(*k), x);
    each_subtree([&](std::int64_t i) {
      const VertexId root = s_.subtrees[index(i)];
      for (VertexId k = root; k >= s_.youngest[index(root)]; --k)
        substitute_back(lanes_, part(k), x);
    });
  }

 private:
  template <class Body>
  void each_subtree(Body&& body) const {
    parallel_blocks(
        static_cast<std::int64_t>(s_.subtrees.size()), threads_,
        [&](std::int64_t i, std::int64_t) { body(i); }, 1);
  }

  SupernodePart part(VertexId k) const {
    const std::span<const VertexId> below = s_.rows_below(k);
    const auto count = static_cast<std::int64_t>(below.size());
    const VertexId own = s_.first[index(k)];
    return {.doubles = network_.doubles == nullptr ? nullptr : network_.doubles->of(k),
            .floats = network_.floats == nullptr ? nullptr : network_.floats->of(k),
            .resistance = network_.resistance.data() + own,
            .share = network_.share == nullptr ? nullptr : network_.share + own,
            .columns = s_.columns(k),
            .first = own,
            .rows = below.data(),
            .below = count,
            .inside = count,
            .place = nullptr};
  }

  // Up the subtree of `root`, in x; what the rows outside of it get goes to `handed`.
  void forward_subtree(VertexId root, double* x, std::vector<double>& handed) const {
    const VertexId end = s_.first[index(root) + 1];
    const std::span<const VertexId> outside = s_.rows_below(root);
    handed.assign(outside.size() * index(lanes_), 0.0);
    std::vector<VertexId> place;
    for (VertexId k = s_.youngest[index(root)]; k <= root; ++k) {
      SupernodePart one = part(k);
      while (one.inside > 0 && one.rows[one.inside - 1] >= end) --one.inside;
      place.clear();
      auto from = outside.begin();
      for (std::int64_t i = one.inside; i < one.below; ++i) {
        from = std::lower_bound(from, outside.end(), one.rows[i]);
        place.push_back(static_cast<VertexId>(from - outside.begin()));
      }
      one.place = place.data();
      substitute_forward(lanes_, one, x, handed.data());
    }
  }

  const FactoredNetwork& network_;
  const NetworkStructure& s_;
  int lanes_;
  int threads_;
};

// 2^−exponent in two factors, neither of which can overflow.
struct Scale {
  explicit Scale(int exponent)
      : half(std::ldexp(1.0, -(exponent / 2))), rest(std::ldexp(1.0, -(exponent - exponent / 2))) {}
  double operator()(double value) const { return value * half * rest; }

  double half, rest;
};

// x is b and has as many columns as a pass takes, in the order of the factor.
void solve_in_place(const FactoredNetwork& network, Block& x, int threads) {
  Substitution(network, static_cast<int>(x.columns()), threads).run(x.data());
  const Scale scale(network.exponent);
  parallel_blocks(x.rows() * x.columns(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) x.data()[i] = scale(x.data()[i]);
  });
}

}  // namespace

void solve_network(const FactoredNetwork& network, const Block& b, Block& x, int threads) {
  const std::int64_t n = b.rows(), columns = b.columns();
  const std::int64_t lanes = columns <= narrow_lanes ? narrow_lanes : wide_lanes;
  const std::vector<VertexId>& order = network.structure.order;
  if (order.empty() && columns == lanes) {
    if (&b != &x) x = b;
    return solve_in_place(network, x, threads);
  }
  const auto vertex = [&](std::int64_t i) { return order.empty() ? i : order[index(i)]; };
  if (x.rows() != n || x.columns() != columns) x = Block(n, columns);
  const Scale scale(network.exponent);
  const Substitution substitution(network, static_cast<int>(lanes), threads);
  std::vector<double> work(index(n * lanes));
  for (std::int64_t first = 0; first < columns; first += lanes) {
    const std::int64_t count = std::min(lanes, columns - first);
    parallel_blocks(n, threads, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const double* from = b.data() + vertex(i) * columns + first;
        double* to = work.data() + i * lanes;
        for (std::int64_t j = 0; j < count; ++j) to[j] = from[j];
        for (std::int64_t j = count; j < lanes; ++j) to[j] = 0.0;
      }
    });
    substitution.run(work.data());
    parallel_blocks(n, threads, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const double* from = work.data() + i * lanes;
        double* to = x.data() + vertex(i) * columns + first;
        for (std::int64_t j = 0; j < count; ++j) to[j] = scale(from[j]);
      }
    });
  }
}

}  // namespace gssl::solve
