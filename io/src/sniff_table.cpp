#include "sniff_table.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "gssl/core/error.hpp"

namespace gssl::detail {
namespace {

constexpr std::size_t most_lines = 100;
constexpr std::size_t most_bytes = std::size_t{1} << 16;

struct Line {
  std::string_view text;
  std::int64_t number = 0;
};

// The first lines of data, one at least; none after a line that is not text.
std::vector<Line> sample_of(std::string_view text, std::int64_t number) {
  std::vector<Line> lines;
  std::size_t bytes = 0;
  for (; !text.empty() && lines.size() < most_lines; ++number) {
    const std::string_view line = trimmed(take_line(text));
    bytes += line.size() + 1;
    if (is_skipped(line)) continue;
    if (line.find('\0') != std::string_view::npos) break;
    if (bytes > most_bytes && !lines.empty()) break;
    lines.push_back({line, number});
  }
  return lines;
}

bool is_other_separator(char c, Separator separator) {
  return (c == ',' || c == ';' || c == '\t') && c != static_cast<char>(separator) &&
         !(c == '\t' && separator == Separator::blanks);
}

// How well one separator suits the sample; less is better.
enum class Doubt {
  none,
  foreign,  // a field holds a character that separates fields elsewhere
  absurd    // a field starts or ends with one, or holds a tab, or an edge has no numeric weight
};

// The fields of one line, and which of them were quoted; quoted fields say what they hold.
struct SplitLine {
  std::vector<std::string> fields;
  std::vector<bool> quoted;
};

// A way to read the sample.
struct Reading {
  Separator separator = Separator::blanks;
  char decimal = '.';
  std::vector<SplitLine> rows;  // of the lines from the first on that have as many fields
  std::size_t columns = 0;
  bool all_numbers = false;  // of points, but for a header
  Doubt doubt = Doubt::none;
  std::size_t trouble_at = 0;  // row, where `trouble` is said
  std::string trouble;         // why no decimal mark can be told
};

Reading split_sample(const std::vector<Line>& sample, Separator separator) {
  Reading reading;
  reading.separator = separator;
  FieldSplitter fields(separator, FieldSplitter::Empty::allowed);
  for (const Line& line : sample) {
    SplitLine row;
    try {
      const std::size_t count = fields.split(line.text, "", line.number);
      for (std::size_t i = 0; i < count; ++i) {
        row.fields.emplace_back(fields[i]);
        row.quoted.push_back(fields.was_quoted(i, line.text));
      }
    } catch (const Error&) {
      break;  // a quotation that does not end, read so
    }
    if (!reading.rows.empty() && row.fields.size() != reading.columns) break;
    reading.columns = row.fields.size();
    reading.rows.push_back(std::move(row));
  }
  return reading;
}

// "1,234": with a decimal comma, or with a comma between the thousands.
bool may_be_thousands(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  const std::size_t comma = text.find(',');
  const auto digits = [](std::string_view part) {
    return std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
  };
  return comma >= 1 && comma <= 3 && comma != std::string_view::npos && text.front() != '0' &&
         text.size() == comma + 4 && digits(text.substr(0, comma)) &&
         digits(text.substr(comma + 1));
}

class Sniffer {
 public:
  Sniffer(std::vector<Line> sample, const std::string& file, TableUse use,
          const TableOptions& given)
      : sample_(std::move(sample)), file_(file), use_(use), given_(given) {}

  TableSyntax sniff() {
    if (given_.delimiter != 0) {
      return take(read_as(static_cast<Separator>(given_.delimiter)));
    }
    std::vector<Reading> readings;
    for (const Separator separator :
         {Separator::comma, Separator::tab, Separator::semicolon, Separator::blanks}) {
      Reading reading = read_as(separator);
      if (reading.columns >= 2) readings.push_back(std::move(reading));
    }
    // A comma told to be the decimal mark separates only edges that nothing else does.
    if (given_.decimal == ',' && (use_ == TableUse::points || readings.size() > 1)) {
      std::erase_if(readings, [](const Reading& r) { return r.separator == Separator::comma; });
    }
    trust_tabs(readings);
    std::ranges::stable_sort(readings, better);
    if (readings.empty() || readings[0].doubt != Doubt::none) {
      // A quotation that does not end is for the reader to refuse.
      const Reading plain = read_as(sniff_separator(sample_[0].text));
      if (plain.rows.empty()) return take(plain);
      if (readings.empty()) return take(read_as(Separator::blanks));
    }
    if (readings.size() > 1) refuse_a_draw(readings[0], readings[1]);
    return take(readings[0]);
  }

 private:
  // Less doubt, then more lines of as many fields, then numbers alone, then the order tried.
  static bool better(const Reading& a, const Reading& b) {
    if (a.doubt != b.doubt) return a.doubt < b.doubt;
    if (a.rows.size() != b.rows.size()) return a.rows.size() > b.rows.size();
    return a.all_numbers && !b.all_numbers;
  }

  // Tabs that split every line alike separate, whatever the ids hold, where blanks do not.
  void trust_tabs(std::vector<Reading>& readings) const {
    const auto by = [&](Separator separator) {
      return std::ranges::find(readings, separator, &Reading::separator);
    };
    const auto tabs = by(Separator::tab), blanks = by(Separator::blanks);
    if (tabs == readings.end() || (use_ == TableUse::edges && !may_be_edges(*tabs))) return;
    if (use_ != TableUse::edges && tabs->doubt == Doubt::absurd) return;
    const auto splits_all = [&](const Reading& one) { return one.rows.size() == sample_.size(); };
    if (splits_all(*tabs) && (blanks == readings.end() || !splits_all(*blanks)))
      tabs->doubt = Doubt::none;
  }

  // The column of an edge list that must hold numbers; no_column if none must.
  static constexpr std::size_t no_column = static_cast<std::size_t>(-1);
  std::size_t weight_column(std::size_t columns) const {
    if (given_.columns.empty()) return columns == 3 ? 2 : no_column;
    const bool told = given_.columns.size() == 3;
    const auto at = told ? static_cast<std::size_t>(given_.columns[2] - 1) : no_column;
    return at < columns ? at : no_column;
  }

  bool may_hold_numbers(std::size_t column, std::size_t columns) const {
    return use_ == TableUse::points || column == weight_column(columns);
  }

  Reading read_as(Separator separator) const {
    Reading reading = split_sample(sample_, separator);
    infer_decimal(reading);
    judge(reading);
    return reading;
  }

  bool by_point(const std::string& field) const {
    return given_.decimal != ',' && parse_decimal(field, '.').has_value();
  }
  bool by_comma(const std::string& field) const {
    return given_.decimal != '.' && parse_decimal(field, ',').has_value();
  }

  // How much of a column is numbers, by one mark or the other; the first line counts only where it
  // is one, since it may be a header.
  enum class Numbers { few, most, all };
  Numbers numbers_in(const Reading& reading, std::size_t column) const {
    std::size_t found = 0;
    std::size_t others = 0;
    for (std::size_t i = 0; i < reading.rows.size(); ++i) {
      const std::string& field = reading.rows[i].fields[column];
      if (by_point(field) || by_comma(field)) {
        ++found;
      } else if (i > 0) {
        ++others;
      }
    }
    if (found <= others) return Numbers::few;
    return others == 0 ? Numbers::all : Numbers::most;
  }

  bool holds_numbers(const Reading& reading, std::size_t column) const {
    return may_hold_numbers(column, reading.columns) && numbers_in(reading, column) != Numbers::few;
  }

  // Numbers of one mark only in some column decide; of both, or such that the comma may stand
  // between thousands, are trouble.
  void infer_decimal(Reading& reading) const {
    if (given_.decimal != 0) {
      reading.decimal = given_.decimal;
      return;
    }
    constexpr std::size_t never = no_column;
    std::size_t comma_at = never;
    std::size_t point_at = never;
    bool thousands = true;  // so far every comma may stand between thousands
    for (std::size_t c = 0; c < reading.columns; ++c) {
      if (!holds_numbers(reading, c)) continue;
      for (std::size_t i = 0; i < reading.rows.size(); ++i) {
        const std::string& field = reading.rows[i].fields[c];
        const bool point = by_point(field);
        const bool comma = by_comma(field);
        if (point && !comma) point_at = std::min(point_at, i);
        if (!comma || point) continue;
        comma_at = std::min(comma_at, i);
        thousands = thousands && may_be_thousands(field);
      }
    }
    if (comma_at == never) return;
    reading.decimal = ',';
    if (point_at != never) {
      reading.trouble_at = std::max(comma_at, point_at);
      reading.trouble =
          "numbers with a decimal comma and numbers with a point; expected one mark; tell which "
          "and mend the others";
    } else if (thousands) {
      reading.trouble_at = comma_at;
      reading.trouble =
          "a comma before three digits may be a decimal comma or stand between thousands; tell "
          "that the mark is a comma, or remove the commas";
    }
  }

  void judge(Reading& reading) const {
    reading.all_numbers = use_ == TableUse::points;
    for (std::size_t c = 0; c < reading.columns; ++c) {
      if (use_ == TableUse::points && numbers_in(reading, c) != Numbers::all)
        reading.all_numbers = false;
      const bool numbers = holds_numbers(reading, c);
      for (const SplitLine& row : reading.rows) {
        const std::string& field = row.fields[c];
        if (row.quoted[c] || (numbers && (by_point(field) || by_comma(field)))) continue;
        reading.doubt = std::max(reading.doubt, doubt_of(field, reading.separator));
      }
    }
    if (use_ == TableUse::edges && !may_be_edges(reading)) reading.doubt = Doubt::absurd;
  }

  bool may_be_edges(const Reading& reading) const {
    if (!given_.columns.empty()) {
      return static_cast<std::size_t>(std::ranges::max(given_.columns)) <= reading.columns;
    }
    if (reading.columns == 2) return true;
    return reading.columns == 3 &&
           (numbers_in(reading, 2) != Numbers::few || is_header_word(reading.rows[0].fields[0]));
  }

  static Doubt doubt_of(std::string_view field, Separator separator) {
    Doubt doubt = Doubt::none;
    for (std::size_t i = 0; i < field.size(); ++i) {
      if (!is_other_separator(field[i], separator)) continue;
      if (field[i] == '\t' || i == 0 || i + 1 == field.size()) return Doubt::absurd;
      doubt = Doubt::foreign;
    }
    return doubt;
  }

  // Of the two best readings, where neither is better by reason.
  void refuse_a_draw(const Reading& best, const Reading& next) const {
    const auto are = [&](Separator a, Separator b) {
      return (best.separator == a && next.separator == b) ||
             (best.separator == b && next.separator == a);
    };
    if (best.rows.size() != next.rows.size() || best.doubt == Doubt::absurd) return;
    const bool alike = best.doubt == next.doubt && best.all_numbers == next.all_numbers;
    // Ids that hold a semicolon, or ids that hold a blank.
    const bool ids = use_ == TableUse::edges && best.separator == Separator::semicolon &&
                     next.separator == Separator::blanks && next.doubt == Doubt::foreign;
    // Blanks as well as the comma leave nothing foreign only around numbers with a decimal comma.
    const bool comma =
        alike && are(Separator::comma, Separator::blanks) && best.doubt == Doubt::none;
    const bool semicolon = alike && are(Separator::comma, Separator::semicolon);
    if (!ids && !comma && !semicolon) return;
    bad_line(file_, sample_[0].number,
             "'" + shown(sample_[0].text) + "' can be read as " + described(best) + " or as " +
                 described(next) + "; tell which",
             Remedy::delimiter);
  }

  static std::string described(const Reading& reading) {
    std::string text =
        std::to_string(reading.columns) + " fields separated by " + to_string(reading.separator);
    if (reading.decimal == ',') text += " with decimal commas";
    return text;
  }

  TableSyntax take(const Reading& reading) const {
    if (!reading.trouble.empty()) {
      const Line& line = sample_[reading.trouble_at];
      bad_line(file_, line.number, "'" + shown(line.text) + "': " + reading.trouble,
               Remedy::decimal);
    }
    if (given_.delimiter == 0 && reading.separator == Separator::comma)
      refuse_split_numbers(reading);
    return {reading.separator, reading.decimal};
  }

  // "5,1,3,5": numbers with a decimal comma between commas look like twice as many whole numbers.
  // Their second halves betray them: 05 is no whole number, and single digits take every value
  // where the first halves do not.
  void refuse_split_numbers(const Reading& reading) const {
    if (use_ != TableUse::points || reading.columns < 2) return;
    const std::size_t pairs = reading.columns / 2;
    bool leading_zero = false;
    bool all_digits_seen = reading.rows.size() >= 30;
    bool wholes_alike = true;  // the first halves look like second halves
    for (std::size_t p = 0; p < pairs; ++p) {
      const Halves whole = halves_of(reading, 2 * p);
      const Halves part = halves_of(reading, 2 * p + 1);
      if (!whole.integers || whole.leading_zero || !part.integers || part.negative) return;
      leading_zero = leading_zero || part.leading_zero;
      all_digits_seen = all_digits_seen && part.single_digits && part.values >= 8;
      wholes_alike = wholes_alike && whole.single_digits && whole.values >= 8;
    }
    if (!leading_zero && (!all_digits_seen || wholes_alike)) return;
    bad_line(
        file_, sample_[0].number,
        "'" + shown(sample_[0].text) +
            "': every second field looks like the decimals of a number with a decimal comma; "
            "separate the numbers by another character than the comma, or tell that it separates "
            "them if they are whole numbers",
        Remedy::delimiter);
  }

  // What the fields of one column are as whole numbers or as decimals.
  struct Halves {
    bool integers = true;
    bool negative = false;
    bool leading_zero = false;
    bool single_digits = true;
    std::int64_t values = 0;  // how many different digits
  };

  static Halves halves_of(const Reading& reading, std::size_t column) {
    Halves halves;
    std::array<bool, 10> seen{};
    for (const SplitLine& row : reading.rows) {
      std::string_view digits = row.fields[column];
      if (digits.starts_with('-')) {
        halves.negative = true;
        digits.remove_prefix(1);
      }
      const bool right =
          !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
      if (!right) {
        halves.integers = false;
        return halves;
      }
      halves.leading_zero = halves.leading_zero || (digits.size() > 1 && digits[0] == '0');
      if (digits.size() == 1) {
        seen[static_cast<std::size_t>(digits[0] - '0')] = true;
      } else {
        halves.single_digits = false;
      }
    }
    halves.values = std::ranges::count(seen, true);
    return halves;
  }

  const std::vector<Line> sample_;
  const std::string& file_;
  const TableUse use_;
  const TableOptions& given_;
};

}  // namespace

TableSyntax sniff_table(std::string_view text, std::int64_t first_line, const std::string& file,
                        TableUse use, const TableOptions& given) {
  given.validate();
  std::vector<Line> sample = sample_of(text, first_line);
  if (sample.empty()) {
    const auto separator =
        given.delimiter == 0 ? Separator::blanks : static_cast<Separator>(given.delimiter);
    return {separator, given.decimal == 0 ? '.' : given.decimal};
  }
  return Sniffer(std::move(sample), file, use, given).sniff();
}

std::string_view without_lines(std::string_view text, std::int64_t lines) {
  for (; lines > 0 && !text.empty(); --lines) take_line(text);
  return text;
}

}  // namespace gssl::detail
