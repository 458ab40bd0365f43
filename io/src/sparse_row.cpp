#include "sparse_row.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "fields.hpp"
#include "integer_text.hpp"

namespace gssl::detail {
namespace {

bool is_row_blank(char c) { return c == ' ' || c == '\t'; }

// Decimals of at most 15 digits and no exponent are a whole number over a power of ten, both exact,
// so that one division rounds once; the position after it, or nullptr for all others.
const char* take_short_decimal(const char* at, const char* end, double& value) {
  static constexpr std::array<double, 16> powers = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  static constexpr std::array<std::uint64_t, 16> whole_powers = [] {
    std::array<std::uint64_t, 16> all{1};
    for (std::size_t i = 1; i < all.size(); ++i) all[i] = 10 * all[i - 1];
    return all;
  }();
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  std::uint64_t number = 0;
  const char* const whole_end = take_digits(at, end, number);
  std::ptrdiff_t digits = whole_end - at;
  std::ptrdiff_t decimals = 0;
  const char* stop = whole_end;
  if (digits == 0 || digits > 15) return nullptr;
  if (stop != end && *stop == '.') {
    std::uint64_t fraction = 0;
    const char* const fraction_end = take_digits(stop + 1, end, fraction);
    decimals = fraction_end - (stop + 1);
    digits += decimals;
    if (decimals == 0 || digits > 15) return nullptr;
    number = number * whole_powers[static_cast<std::size_t>(decimals)] + fraction;
    stop = fraction_end;
  }
  if (stop != end && !is_row_blank(*stop)) return nullptr;
  value = static_cast<double>(number) / powers[static_cast<std::size_t>(decimals)];
  if (negative) value = -value;
  return stop;
}

class Row {
 public:
  Row(std::string_view text, const std::string& file, std::int64_t line)
      : at_(text.data()), end_(text.data() + text.size()), file_(file), line_(line) {}

  // False at the end of the row.
  bool next(std::int64_t& index, double& value) {
    while (at_ != end_ && is_row_blank(*at_)) ++at_;
    if (at_ == end_) return false;
    begin_ = at_;
    std::uint64_t number = 0;
    const char* const colon = take_digits(at_, end_, number);
    constexpr std::ptrdiff_t safe_digits = 18;
    if (colon == at_ || colon == end_ || *colon != ':' || colon - at_ > safe_digits) refuse();
    index = static_cast<std::int64_t>(number);
    const char* stop = take_short_decimal(colon + 1, end_, value);
    if (stop == nullptr) stop = take_any_number(colon + 1, value);
    at_ = stop;
    return true;
  }

  std::string word() const {
    const char* stop = begin_;
    while (stop != end_ && !is_row_blank(*stop)) ++stop;
    return shown({begin_, static_cast<std::size_t>(stop - begin_)});
  }

 private:
  const char* take_any_number(const char* digits, double& value) {
    if (end_ - digits > 1 && *digits == '+' && digits[1] != '-') ++digits;
    const auto [stop, bad] = std::from_chars(digits, end_, value);
    if (bad != std::errc{} || (stop != end_ && !is_row_blank(*stop))) refuse();
    if (!std::isfinite(value))
      bad_line(file_, line_, word() + "; expected a finite value; leave it out or fill it");
    return stop;
  }

  [[noreturn]] void refuse() const {
    bad_line(file_, line_, word() + "; expected index:value, as 3:0.5; fix the field");
  }

  const char* at_;
  const char* end_;
  const char* begin_ = nullptr;  // of the present word
  const std::string& file_;
  std::int64_t line_;
};

}  // namespace

void read_sparse_row(std::string_view pairs, const std::string& file, std::int64_t line,
                     std::vector<std::int32_t>& columns, std::vector<double>& values) {
  Row row(pairs, file, line);
  std::int64_t index = 0;
  std::int64_t before = 0;
  for (double value = 0.0; row.next(index, value); before = index) {
    if (index < 1 || index > std::numeric_limits<std::int32_t>::max())
      bad_line(file, line,
               row.word() + "; expected an index from 1 to 2147483647; number columns from 1");
    if (index <= before)
      bad_line(file, line,
               row.word() + " after index " + std::to_string(before) +
                   "; expected ascending indices; sort the row");
    columns.push_back(static_cast<std::int32_t>(index - 1));
    values.push_back(value);
  }
}

}  // namespace gssl::detail
