#include "gssl/core/block.hpp"

#include <limits>
#include <string>

#include "gssl/core/error.hpp"

namespace gssl {
namespace detail {
namespace {

std::string shape_text(std::int64_t rows, std::int64_t columns) {
  return "block of " + std::to_string(rows) + " rows and " + std::to_string(columns) + " columns: ";
}

}  // namespace

std::size_t block_length(std::int64_t rows, std::int64_t columns) {
  // What a pointer difference in bytes can hold.
  constexpr auto most = std::numeric_limits<std::int64_t>::max() / std::int64_t{sizeof(double)};
  if (rows < 0 || columns < 0)
    throw Error(ErrorCode::usage, shape_text(rows, columns) + "both must be >= 0");
  if (columns > 0 && rows > most / columns)
    throw Error(ErrorCode::usage, shape_text(rows, columns) + "must have fewer than 2^60 values");
  return static_cast<std::size_t>(rows * columns);
}

std::size_t block_length(std::int64_t rows, std::int64_t columns, std::size_t given) {
  const std::size_t length = block_length(rows, columns);
  if (given != length)
    throw Error(ErrorCode::usage, shape_text(rows, columns) + std::to_string(given) +
                                      " values given: must be rows times columns");
  return length;
}

}  // namespace detail

Block::Block(std::int64_t rows, std::int64_t columns, std::vector<double> values) {
  auto list = std::make_shared<std::vector<double>>(std::move(values));
  const std::span<double> held(*list);
  *this = view(rows, columns, held, std::move(list));
}

Block Block::view(std::int64_t rows, std::int64_t columns, std::span<double> values,
                  std::shared_ptr<void> owner) {
  detail::block_length(rows, columns, values.size());
  Block block;
  block.rows_ = rows;
  block.columns_ = columns;
  block.values_ = values.data();
  block.owner_ = std::move(owner);
  return block;
}

}  // namespace gssl
