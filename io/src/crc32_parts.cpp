#include "crc32_parts.hpp"

#include <algorithm>

namespace gssl::detail {

void Crc32Parts::take(std::string_view part) {
  const Part taken{static_cast<std::size_t>(part.data() - bytes_.data()), SummedBytes(part)};
  const std::scoped_lock lock(mutex_);
  parts_.push_back(taken);
}

std::uint32_t Crc32Parts::whole(const std::function<void(std::string_view)>& after) {
  std::ranges::sort(parts_, {}, &Part::begin);
  Part all;
  const auto sum_up_to = [&](std::size_t end) {
    const std::string_view gap = bytes_.substr(all.sum.bytes, end - all.sum.bytes);
    if (!gap.empty()) all.sum += sum_of_pieces(gap, threads_, after);
  };
  for (const Part& part : parts_) {
    if (part.begin < all.sum.bytes) continue;  // again
    sum_up_to(part.begin);
    all.sum += part.sum;
  }
  sum_up_to(bytes_.size());
  parts_.assign(1, all);
  return all.sum.crc;
}

}  // namespace gssl::detail
