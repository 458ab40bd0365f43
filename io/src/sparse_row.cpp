#include "sparse_row.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "fields.hpp"
#include "integer_text.hpp"

namespace gssl::detail {
namespace {

bool is_row_blank(char c) { return c == ' ' || c == '\t'; }

constexpr std::array<double, 16> powers_of_ten = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
constexpr std::array<std::uint64_t, 16> whole_powers_of_ten = [] {
  std::array<std::uint64_t, 16> all{1};
  for (std::size_t i = 1; i < all.size(); ++i) all[i] = 10 * all[i - 1];
  return all;
}();

constexpr std::ptrdiff_t window = 16;
constexpr std::ptrdiff_t readable = window + 8;  // numbers are read by eight characters

constexpr std::uint64_t zeros = 0x3030303030303030ULL;

std::uint64_t eight_at(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word ^ zeros;
}

// The numbers of the first `count` digits of one word and the first `count2` of another, at most four
// of each, at once.
std::pair<std::uint64_t, std::uint64_t> two_numbers(std::uint64_t word, int count,
                                                    std::uint64_t word2, int count2) {
  std::uint64_t both = (word << (64 - 8 * count) >> 32) | word2 << (64 - 8 * count2);
  both = (both * 10 + (both >> 8)) & 0x00FF00FF00FF00FFULL;
  both = both * 100 + (both >> 16);
  return {both & 0xFFFF, both >> 32 & 0xFFFF};
}

// A pair as most are, such as "12:0.345", of at most eight digits before and after its marks, and
// ended by a blank within `window` characters; `readable` ones can be read from `at`. All its ends are found
// at once, so that numbers do not wait for those before them. Its length, or 0 for all others.
int take_plain_pair(const char* at, std::int64_t& index, double& value) {
  if constexpr (std::endian::native != std::endian::little) return 0;
  std::uint64_t low = 0, high = 0;
  std::memcpy(&low, at, sizeof low);
  std::memcpy(&high, at + sizeof low, sizeof high);
  constexpr unsigned beyond = ~0U << window;
  unsigned marks = other_than_digits(low) | other_than_digits(high) << 8U | beyond;
  const auto next_mark = [&marks] {
    const int place = std::countr_zero(marks);
    marks &= marks - 1;
    return place;
  };
  const int colon = next_mark();
  if (colon < 1 || colon > 8 || at[colon] != ':') return 0;
  int begin = colon + 1, whole_end = next_mark();
  const bool negative = whole_end == begin && whole_end < window && at[whole_end] == '-';
  if (negative) {
    ++begin;
    whole_end = next_mark();
  }
  const int whole_digits = whole_end - begin;
  if (whole_digits < 1 || whole_digits > 8 || whole_end >= window) return 0;
  std::uint64_t number = whole_digits == 1 ? static_cast<std::uint64_t>(at[begin] - '0')
                                           : number_of_digits(eight_at(at + begin), whole_digits);
  if (at[whole_end] != '.') {
    if (!is_row_blank(at[whole_end])) return 0;
    index = static_cast<std::int64_t>(number_of_digits(low ^ zeros, colon));
    value = negative ? -static_cast<double>(number) : static_cast<double>(number);
    return whole_end;
  }
  const int end = next_mark(), decimals = end - whole_end - 1;
  if (decimals < 1 || decimals > 8 || end >= window || !is_row_blank(at[end])) return 0;
  const std::uint64_t word = low ^ zeros, fraction = eight_at(at + whole_end + 1);
  const auto [first, second] =
      colon <= 4 && decimals <= 4
          ? two_numbers(word, colon, fraction, decimals)
          : std::pair(number_of_digits(word, colon), number_of_digits(fraction, decimals));
  index = static_cast<std::int64_t>(first);
  number = number * whole_powers_of_ten[static_cast<std::size_t>(decimals)] + second;
  const double size =
      static_cast<double>(number) / powers_of_ten[static_cast<std::size_t>(decimals)];
  value = negative ? -size : size;
  return end;
}

// Decimals of at most 15 digits and no exponent are a whole number over a power of ten, both exact,
// so that one division rounds once; the position after it, or nullptr for all others.
const char* take_short_decimal(const char* at, const char* end, double& value) {
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
    number = number * whole_powers_of_ten[static_cast<std::size_t>(decimals)] + fraction;
    stop = fraction_end;
  }
  if (stop != end && !is_row_blank(*stop)) return nullptr;
  value = static_cast<double>(number) / powers_of_ten[static_cast<std::size_t>(decimals)];
  if (negative) value = -value;
  return stop;
}

class Row {
 public:
  Row(std::string_view text, const std::string& file, std::int64_t line)
      : at_(text.data()), end_(text.data() + text.size()), file_(file), line_(line) {
    const auto kept = std::min(static_cast<std::ptrdiff_t>(text.size()), readable);
    tail_.fill(' ');
    if (kept == readable)
      std::memcpy(tail_.data(), end_ - readable, readable);
    else
      std::memcpy(tail_.data() + readable - kept, text.data(), static_cast<std::size_t>(kept));
  }

  // False at the end of the row.
  bool next(std::int64_t& index, double& value) {
    while (at_ != end_ && is_row_blank(*at_)) ++at_;
    if (at_ == end_) return false;
    begin_ = at_;
    if (const int length = take_plain(index, value); length > 0) {
      at_ += length;
      return true;
    }
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
  // The last characters are read from a copy that has blanks after them.
  int take_plain(std::int64_t& index, double& value) const {
    const std::ptrdiff_t left = end_ - at_;
    return take_plain_pair(left >= readable ? at_ : tail_.data() + readable - left, index, value);
  }

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
  std::array<char, 2 * readable> tail_;
  const std::string& file_;
  std::int64_t line_;
};

}  // namespace

void read_sparse_row(std::string_view pairs, const std::string& file, std::int64_t line,
                     std::vector<std::int32_t>& columns, std::vector<double>& values) {
  // A pair takes three characters and a blank.
  const std::size_t before_row = columns.size(), most = before_row + pairs.size() / 4 + 1;
  columns.resize(most);
  values.resize(most);
  Row row(pairs, file, line);
  std::size_t count = before_row;
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
    columns[count] = static_cast<std::int32_t>(index - 1);
    values[count++] = value;
  }
  columns.resize(count);
  values.resize(count);
}

}  // namespace gssl::detail
