#include <algorithm>

#include "gssl/evaluate/bounds.hpp"

namespace gssl {

namespace {

class ShatterSearch {
 public:
  ShatterSearch(const Block& signs, const RunContext& run) : signs_(signs), run_(run) {}

  VcDimension find() {
    std::vector<std::int64_t> all(static_cast<std::size_t>(signs_.rows()));
    for (std::size_t r = 0; r < all.size(); ++r) all[r] = static_cast<std::int64_t>(r);
    best_.dimension = signs_.rows() == 0 ? -1 : 0;
    if (signs_.rows() > 0) extend({all}, 0);
    return best_;
  }

 private:
  using Groups = std::vector<std::vector<std::int64_t>>;  // rows of each pattern on the chosen

  // Halves every group by its sign in a column; empty where one has a single sign.
  Groups split(const Groups& groups, std::int64_t column) const {
    Groups halves;
    for (const auto& group : groups) {
      std::vector<std::int64_t> sides[2];
      for (const std::int64_t row : group) sides[signs_(row, column) > 0.0 ? 1 : 0].push_back(row);
      if (sides[0].empty() || sides[1].empty()) return {};
      halves.push_back(std::move(sides[0]));
      halves.push_back(std::move(sides[1]));
    }
    return halves;
  }

  // Whether a set larger than the best may come of these: columns and rows of every pattern are
  // enough for it.
  bool promising(const Groups& groups, std::int64_t next) const {
    const auto wanted = best_.dimension + 1 - static_cast<int>(chosen_.size());
    if (wanted <= 0) return true;
    if (signs_.columns() - next < wanted || wanted > 40) return false;
    return std::ranges::all_of(groups, [&](const auto& group) {
      return group.size() >= std::size_t{1} << static_cast<unsigned>(wanted);
    });
  }

  void extend(const Groups& groups, std::int64_t next) {
    run_.throw_if_stopped("VC dimension", "before all sets of columns were tried");
    if (static_cast<int>(chosen_.size()) > best_.dimension)
      best_ = {static_cast<int>(chosen_.size()), chosen_};
    for (std::int64_t column = next; column < signs_.columns(); ++column) {
      if (!promising(groups, column)) return;
      const Groups halves = split(groups, column);
      if (halves.empty()) continue;
      chosen_.push_back(column);
      extend(halves, column + 1);
      chosen_.pop_back();
    }
  }

  const Block& signs_;
  const RunContext& run_;
  std::vector<std::int64_t> chosen_;
  VcDimension best_;
};

}  // namespace

VcDimension vc_dimension(const Block& signs, const RunContext& run) {
  return ShatterSearch(signs, run).find();
}

}  // namespace gssl
