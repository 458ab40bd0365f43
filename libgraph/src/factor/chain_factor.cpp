#include "gssl/factor/chain_factor.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "dense_products.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/huge_array.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "structure.hpp"
#include "walk_supernodes.hpp"

namespace gssl {
namespace {

using namespace solve;

// A block of some hundred MB on small pages takes longer to come by than to eliminate.
using Front = std::vector<double, HugeAllocator<double>>;

// Columns done one by one between two products of whole blocks, and columns of a product that one
// thread takes.
constexpr std::int64_t panel_width = 32;
constexpr std::int64_t tile_width = 64;

std::int64_t whole_vectors(std::int64_t row) { return row / 8 * 8; }

[[noreturn]] void throw_out_of_memory(std::size_t vertices) {
  throw Error(ErrorCode::out_of_memory,
              "the factor of " + std::to_string(vertices) + " states does not fit the memory");
}

// A block has `side` rows, its own columns first, and one column more than rows: the ends. Entry
// (i, j) is the rate from i to j, by columns of `stride` values. What is kept of it are the rates
// into the own states (`into`, by columns) and the shares p out of them (`out`, by rows).
class FactoredChain final : public ChainFactor {
 public:
  FactoredChain(const Graph& pattern, NetworkStructure structure)
      : pattern_(pattern), s_(std::move(structure)) {
    out_start_.push_back(0);
    into_start_.push_back(0);
    for (VertexId k = 0; k < s_.count(); ++k) {
      out_start_.push_back(out_start_.back() + index(out_stride(k) * s_.columns(k)));
      into_start_.push_back(into_start_.back() + index(s_.stride(k) * s_.columns(k)));
    }
    find_places();
  }

  const FactorSize& size() const override { return s_.size; }

  bool compute(std::span<const double> rates, std::span<const double> ends,
               const RunContext& run) override try {
    if (resistance_.empty()) {
      into_ = HugeArray<double>(into_start_.back());
      out_ = HugeArray<double>(out_start_.back());
      resistance_.resize(s_.order.size());
    }
    std::vector<Front> fronts(index(s_.count()));
    std::atomic<bool> ends_everywhere = true;
    const bool done = walk_supernodes(s_, true, run, "factoring", [&](VertexId k, int threads) {
      if (!eliminate(k, rates, ends, fronts, threads, run)) ends_everywhere = false;
    });
    return done && ends_everywhere;
  } catch (const std::bad_alloc&) {
    throw_out_of_memory(s_.order.size());
  }

  void solve(std::span<const double> b, std::span<double> x) const override {
    std::vector<double> y(s_.order.size());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = b[index(s_.order[i])];
    std::vector<double> local;
    for (VertexId k = 0; k < s_.count(); ++k) go_up(k, y, local);
    for (VertexId k = s_.count() - 1; k >= 0; --k) go_down(k, y, local);
    for (std::size_t i = 0; i < y.size(); ++i) x[index(s_.order[i])] = y[i];
  }

 private:
  std::int64_t out_stride(VertexId k) const { return (s_.side(k) + 8) / 8 * 8; }

  // Where each rate goes in the block of its earlier end, and each row below in the parent's.
  void find_places() {
    entry_start_.push_back(0);
    for (VertexId k = 0; k < s_.count(); ++k) {
      const VertexId begin = s_.first[index(k)];
      for (VertexId c = 0; c < s_.columns(k); ++c) {
        const VertexId v = s_.order[index(begin + c)];
        for (EdgeIndex e = pattern_.row_begin(v); e < pattern_.row_end(v); ++e) {
          const VertexId u = pattern_.neighbor_at(e);
          const VertexId row = s_.position[index(u)];
          if (row <= begin + c) continue;
          const std::int64_t place = s_.place(k, row);
          entries_.push_back({place * s_.stride(k) + c, c * s_.stride(k) + place, e, mirror(v, u)});
        }
      }
      entry_start_.push_back(entries_.size());
      for (const VertexId row : s_.rows_below(k))
        place_in_parent_.push_back(static_cast<VertexId>(s_.place(s_.parent[index(k)], row)));
    }
  }

  // Place of {u, v} in row u.
  EdgeIndex mirror(VertexId v, VertexId u) const {
    const auto row = pattern_.neighbors(u);
    return pattern_.row_begin(u) + (std::lower_bound(row.begin(), row.end(), v) - row.begin());
  }

  void add_rates(VertexId k, std::span<const double> rates, std::span<const double> ends,
                 Front& front) const {
    const VertexId begin = s_.first[index(k)];
    double* last = front.data() + s_.side(k) * s_.stride(k);
    for (VertexId c = 0; c < s_.columns(k); ++c) last[c] = ends[index(s_.order[index(begin + c)])];
    for (std::size_t i = entry_start_[index(k)]; i < entry_start_[index(k) + 1]; ++i) {
      const Entry& entry = entries_[i];
      front[index(entry.out)] = rates[index(entry.rate_out)];
      front[index(entry.into)] = rates[index(entry.rate_into)];
    }
  }

  void add_child(VertexId child, const Front& update, Front& front) const {
    const VertexId k = s_.parent[index(child)];
    const std::span places(place_in_parent_.data() + s_.row_start[index(child)],
                           s_.rows_below(child).size());
    const std::int64_t from = s_.stride(child), to = s_.stride(k), own = s_.columns(child);
    const double* source = update.data() + own * from + own;
    const auto add_column = [&](double* column) {
      for (std::size_t i = 0; i < places.size(); ++i) column[places[i]] += source[i];
      source += from;
    };
    for (const VertexId place : places) add_column(front.data() + place * to);
    add_column(front.data() + s_.side(k) * to);
  }

  // False if the walk does not leave one of the states.
  bool eliminate(VertexId k, std::span<const double> rates, std::span<const double> ends,
                 std::vector<Front>& fronts, int threads, const RunContext& run) {
    Front front(index(s_.stride(k) * (s_.side(k) + 1)), 0.0);
    add_rates(k, rates, ends, front);
    const bool left =
        add_children(k, fronts, front, run) && eliminate_block(k, front.data(), threads, run);
    if (s_.parent[index(k)] != no_vertex) fronts[index(k)] = std::move(front);
    return left;
  }

  // Children come before k, the last of them right before it, each behind the subtree of the next.
  // False if the run is to stop.
  bool add_children(VertexId k, std::vector<Front>& fronts, Front& front,
                    const RunContext& run) const {
    for (VertexId child = k - 1; child >= s_.youngest[index(k)];
         child = s_.youngest[index(child)] - 1) {
      if (run.should_stop()) return false;
      add_child(child, fronts[index(child)], front);
      Front().swap(fronts[index(child)]);
    }
    return true;
  }

  // Returns early, with nothing of use, once the run is to stop.
  bool eliminate_block(VertexId k, double* front, int threads, const RunContext& run) {
    const std::int64_t columns = s_.columns(k), side = s_.side(k), stride = s_.stride(k);
    const std::int64_t across = out_stride(k);
    double* out = out_.data() + out_start_[index(k)];
    double* into = into_.data() + into_start_[index(k)];
    double* resistance = resistance_.data() + s_.first[index(k)];
    bool left = true;
    for (std::int64_t begin = 0; begin < columns; begin += panel_width) {
      if (begin > 0 && run.should_stop()) return false;
      const std::int64_t end = std::min(columns, begin + panel_width);
      for (std::int64_t c = begin; c < end; ++c)
        for (std::int64_t j = c + 1; j <= side; ++j) out[c * across + j] = front[j * stride + c];
      for (std::int64_t c = begin; c < end; ++c) {
        double* p = out + c * across;
        const double* w = front + c * stride;
        const double rate = sum(side - c, p + c + 1);
        left = left && rate > 0.0;
        resistance[c] = rate > 0.0 ? 1.0 / rate : 0.0;
        for (std::int64_t j = c + 1; j <= side; ++j) p[j] *= resistance[c];
        for (std::int64_t r = c + 1; r < end; ++r) {
          add_multiple(side - r, w[r], p + r + 1, out + r * across + r + 1);
          add_multiple(side - r - 1, p[r], w + r + 1, front + r * stride + r + 1);
        }
        std::copy(w + c + 1, w + side, into + c * stride + c + 1);
      }
      parallel_blocks(
          side + 1 - end, threads,
          [&](std::int64_t first, std::int64_t last) {
            const std::int64_t top = whole_vectors(end);
            multiply_add(stride - top, last - first, end - begin, front + begin * stride + top,
                         stride, out + begin * across + end + first, across, 1,
                         front + (end + first) * stride + top, stride);
          },
          tile_width);
    }
    return left;
  }

  void go_up(VertexId k, std::vector<double>& y, std::vector<double>& local) const {
    const std::int64_t columns = s_.columns(k), side = s_.side(k), stride = s_.stride(k);
    const VertexId begin = s_.first[index(k)];
    const double* into = into_.data() + into_start_[index(k)];
    local.assign(index(side), 0.0);
    std::copy_n(y.data() + begin, columns, local.data());
    for (std::int64_t c = 0; c < columns; ++c) {
      local[index(c)] *= resistance_[index(begin + c)];
      add_multiple(side - c - 1, local[index(c)], into + c * stride + c + 1, local.data() + c + 1);
    }
    std::copy_n(local.data(), columns, y.data() + begin);
    double* more = local.data() + columns;
    for (const VertexId row : s_.rows_below(k)) y[index(row)] += *more++;
  }

  void go_down(VertexId k, std::vector<double>& y, std::vector<double>& local) const {
    const std::int64_t columns = s_.columns(k), side = s_.side(k), across = out_stride(k);
    const VertexId begin = s_.first[index(k)];
    const double* out = out_.data() + out_start_[index(k)];
    local.resize(index(side));
    std::copy_n(y.data() + begin, columns, local.data());
    double* known = local.data() + columns;
    for (const VertexId row : s_.rows_below(k)) *known++ = y[index(row)];
    for (std::int64_t c = columns - 1; c >= 0; --c)
      local[index(c)] += dot(side - c - 1, out + c * across + c + 1, local.data() + c + 1);
    std::copy_n(local.data(), columns, y.data() + begin);
  }

  // A rate and its opposite: places in the block, and in the arrays of rates.
  struct Entry {
    std::int64_t out, into;
    EdgeIndex rate_out, rate_into;
  };

  const Graph& pattern_;
  NetworkStructure s_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> entry_start_;   // supernode → its first entry; one more
  std::vector<VertexId> place_in_parent_;  // of each row below, as s_.rows
  std::vector<std::size_t> into_start_;    // supernode → its place in `into_`; one more
  std::vector<std::size_t> out_start_;     // supernode → its place in `out_`; one more
  HugeArray<double> into_, out_;           // written block by block
  std::vector<double> resistance_;         // 1/d of each position
};

}  // namespace

std::unique_ptr<ChainFactor> make_chain_factor(
    const Graph& pattern, const RunContext& run,
    const std::function<bool(const FactorSize&)>& accept) try {
  std::optional<NetworkStructure> structure = analyze_network(pattern, no_vertex, run);
  if (!structure || (accept && !accept(structure->size)) || run.should_stop()) return nullptr;
  return std::make_unique<FactoredChain>(pattern, *std::move(structure));
} catch (const std::bad_alloc&) {
  throw_out_of_memory(static_cast<std::size_t>(pattern.vertex_count()));
}

}  // namespace gssl
