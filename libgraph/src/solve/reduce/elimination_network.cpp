#include "elimination_network.hpp"

#include <algorithm>
#include <utility>

#include "gssl/core/parallel.hpp"
#include "range_elimination.hpp"
#include "solve/order/locality_ranges.hpp"

namespace gssl::solve {
namespace {

constexpr std::size_t least_room = 64;

}  // namespace

EliminationNetwork::EliminationNetwork(NetworkRows rows)
    : graph_(std::move(rows.graph)), ground_(std::move(rows.ground)) {
  const std::size_t n = index(graph_->vertex_count());
  degree_.resize(n);
  head_.assign(n, end_of_list);
  state_.resize(n);
  slot_.assign(n, RangeElimination::unseen);
}

StagedSteps EliminationNetwork::run(int threads, double room) {
  const LocalityRanges ranges(*graph_);
  std::vector<Room> rooms;
  std::size_t size = 0;
  for (std::size_t r = 0; r < ranges.count(); ++r) {
    const auto entries = static_cast<double>(ranges.entries(*graph_, r));
    const std::size_t from = size;
    size = std::min<std::size_t>(end_of_list,
                                 size + least_room + static_cast<std::size_t>(room * entries));
    rooms.push_back(
        {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(size), end_of_list});
  }
  pool_ = std::make_unique_for_overwrite<Half[]>(size);
  pool_size_ = size;

  StagedSteps steps;
  if (ranges.count() == 1) {
    RangeElimination(*this, ranges, 0, rooms[0]).run(steps.rest);
    return steps;
  }
  steps.within.resize(ranges.count());
  parallel_blocks(
      static_cast<std::int64_t>(ranges.count()), threads,
      [&](std::int64_t r, std::int64_t) {
        Room& own = rooms[index(r)];
        own = RangeElimination(*this, ranges, index(r), own).run(steps.within[index(r)]);
      },
      1);
  RangeElimination(*this, std::move(rooms)).run(steps.rest);
  return steps;
}

}  // namespace gssl::solve
