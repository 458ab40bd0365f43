#pragma once
// Blocks of whole lines of a text, cut when one of them is asked for: to cut all of a file before
// others may read it is to wait for a page of each.
//
//   LineBlocks blocks(text, 131072);
//   for (std::int64_t i = 0; i < blocks.most(); ++i) parse(blocks[i]);   // on any thread

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

namespace gssl::detail {

// The first lines of `rest`, `size` bytes and what ends the last of them; `rest` loses them.
inline std::string_view take_lines(std::string_view& rest, std::size_t size) {
  const std::size_t end = size < rest.size() ? rest.find('\n', size) : std::string_view::npos;
  const std::string_view lines =
      rest.substr(0, end == std::string_view::npos ? rest.size() : end + 1);
  rest.remove_prefix(lines.size());
  return lines;
}

class LineBlocks {
 public:
  // Of at least `size` bytes each, but for the last.
  LineBlocks(std::string_view text, std::size_t size)
      : rest_(text), size_(size), most_((text.size() + size - 1) / size) {}

  std::int64_t most() const { return static_cast<std::int64_t>(most_); }

  // In the order of the text; empty after the last. Precondition: 0 <= block < most().
  std::string_view operator[](std::int64_t block) {
    const auto i = static_cast<std::size_t>(block);
    const std::scoped_lock lock(mutex_);
    while (cut_.size() <= i) cut_.push_back(take_lines(rest_, size_));
    return cut_[i];
  }

 private:
  std::string_view rest_;
  const std::size_t size_;
  const std::size_t most_;
  std::mutex mutex_;
  std::vector<std::string_view> cut_;
};

}  // namespace gssl::detail
