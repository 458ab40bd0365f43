#include "factor_peaks.hpp"

#include <algorithm>
#include <vector>

#include "panels.hpp"

namespace gssl::solve {
namespace {

constexpr double number = sizeof(double);

// Bytes of supernode k: its dense block, the columns of it that are its own, its packed panel, and
// the pairs of rows that it hands to its parent.
struct Sizes {
  Sizes(const NetworkStructure& s, VertexId k) {
    const auto side = static_cast<double>(s.side(k)), stride = static_cast<double>(s.stride(k));
    const auto columns = static_cast<double>(s.columns(k)), below = side - columns;
    block = number * stride * side;
    own = number * stride * columns;
    packed = number * static_cast<double>(packed_column(s.side(k), s.columns(k)));
    pairs = number * below * (below - 1.0) / 2.0;
  }
  double block, own, packed, pairs;
};

// Of the subtrees of a walk, as many side by side as there are threads: the most of what is held
// before the first of them, and of what each holds.
class SideBySide {
 public:
  SideBySide(double held, int threads) : held_(held), last_(index(threads), 0.0) {}

  // `most` while the subtree is walked, `left` after it.
  void add(double most, double left) {
    oldest_ = (oldest_ + 1) % last_.size();
    last_[oldest_] = most - left;
    held_ += left;
    double all = held_;
    for (const double one : last_) all += one;
    most_ = std::max(most_, all);
  }
  double held() const { return held_; }
  double most() const { return most_; }

 private:
  double held_, most_ = 0.0;
  std::vector<double> last_;  // what each thread holds for a while
  std::size_t oldest_ = 0;
};

// Calls body(child) for the children of k, the last first.
template <class Body>
void each_child(const NetworkStructure& s, VertexId k, Body&& body) {
  for (VertexId c = k - 1; c >= s.youngest[index(k)]; c = s.youngest[index(c)] - 1) body(c);
}

// Children first. A subtree keeps its panels, and the pairs of rows of all its supernodes on one
// stack, whose pages stay until its parent has taken the last of them.
double most_upward(const NetworkStructure& s, int threads) {
  SideBySide subtrees(0.0, threads);
  std::vector<double> left(index(s.count()), 0.0);  // at the parent's disposal
  for (const VertexId root : s.subtrees) {
    double stack = 0.0, highest = 0.0, panels = 0.0, most = 0.0;
    for (VertexId k = s.youngest[index(root)]; k <= root; ++k) {
      const Sizes size(s, k);
      most = std::max(most, panels + highest + size.block + size.own);
      panels += size.packed;
      each_child(s, k, [&](VertexId c) { stack -= Sizes(s, c).pairs; });
      stack += size.pairs;
      highest = std::max(highest, stack);
      most = std::max(most, panels + highest + size.block + size.own);
    }
    left[index(root)] = highest;
    subtrees.add(most, panels + highest);
  }
  double held = subtrees.held(), most = subtrees.most();
  for (const VertexId k : s.top) {
    const Sizes size(s, k);
    most = std::max(most, held + size.block + size.own);
    each_child(s, k, [&](VertexId c) { held -= left[index(c)]; });
    left[index(k)] = size.pairs;
    held += size.packed + size.pairs;
    most = std::max(most, held + size.block + size.own);
  }
  return most;
}

// Parents first. A block stays until the last child has taken its part of it.
class Downward {
 public:
  explicit Downward(const NetworkStructure& s) : s_(s), waiting_(index(s.count()), 0) {
    for (const VertexId p : s.parent)
      if (p != no_vertex) ++waiting_[index(p)];
  }

  double most(int threads) {
    double panels = 0.0;
    for (VertexId k = 0; k < s_.count(); ++k) panels += Sizes(s_, k).packed;
    held_ = most_ = panels;
    for (auto k = s_.top.rbegin(); k != s_.top.rend(); ++k) visit(*k);
    double most = most_;
    SideBySide subtrees(held_, threads);
    for (const VertexId root : s_.subtrees) {
      const double before = most_ = held_;
      for (VertexId k = root; k >= s_.youngest[index(root)]; --k) visit(k);
      // The root may have let go of the block above it, which was held before.
      subtrees.add(most_ - before, held_ - before);
    }
    return std::max(most, subtrees.most());
  }

 private:
  void visit(VertexId k) {
    const Sizes size(s_, k);
    const VertexId p = s_.parent[index(k)];
    held_ += size.block;
    most_ = std::max(most_, held_);
    if (p != no_vertex && --waiting_[index(p)] == 0) held_ -= Sizes(s_, p).block;
    most_ = std::max(most_, held_ + size.own);
    if (waiting_[index(k)] == 0) held_ -= size.block;
  }

  const NetworkStructure& s_;
  std::vector<int> waiting_;  // children that have not been
  double held_ = 0.0, most_ = 0.0;
};

}  // namespace

FactorPeaks peak_memory(const NetworkStructure& s, int threads) {
  return {.made = most_upward(s, threads), .selected = Downward(s).most(threads)};
}

}  // namespace gssl::solve
