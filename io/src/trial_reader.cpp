#include "gssl/io/trial_reader.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "fields.hpp"
#include "foreign_files.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "points_formats.hpp"
#include "sparse_row.hpp"

namespace gssl {
namespace {

using detail::bad_line;
using detail::Separator;
using detail::shown;

// What the fields of a line are: which hold names, and where the values begin.
struct Roles {
  int first = -1;    // field of the node, task or row
  int second = -1;   // field of the column
  int outcome = -1;  // field of the outcome
  std::vector<std::size_t> values = {};
};

// Fields in front of the values, by layout: those of TrialReader's table.
struct LeadingFields {
  int first = -1;
  int second = -1;
  int outcome = -1;
  std::size_t least = 0;  // fields
  bool values = true;     // all others
  const char* wanted = "";
};

LeadingFields shape_of(TrialLayout layout) {
  switch (layout) {
    case TrialLayout::features: return {.least = 2, .wanted = "features and an outcome"};
    case TrialLayout::advice:
      return {.outcome = 0, .least = 2, .wanted = "'outcome,prediction,prediction,…'"};
    case TrialLayout::losses: return {.least = 1, .wanted = "'loss,loss,…'"};
    case TrialLayout::node:
      return {.first = 0, .outcome = 1, .least = 2, .values = false, .wanted = "'node label'"};
    case TrialLayout::task:
      return {.first = 0, .outcome = 1, .least = 3, .wanted = "'task outcome prediction…'"};
    case TrialLayout::cell:
      return {.first = 0,
              .second = 1,
              .outcome = 2,
              .least = 3,
              .values = false,
              .wanted = "'row column value'"};
  }
  return {};
}

}  // namespace

class TrialReader::Parser {
 public:
  Parser(LineStream lines, TrialReadOptions options)
      : lines_(std::move(lines)), options_(std::move(options)), shape_(shape_of(options_.layout)) {
    options_.table.validate();
  }

  bool next(OnlineTrial& trial) {
    for (;;) {
      const std::optional<std::string_view> text = lines_.next();
      if (!text) return false;
      if (lines_.line() <= options_.table.skip_lines) continue;
      const std::string_view line = detail::trimmed(*text);
      if (detail::is_skipped(line)) continue;
      if (!begun_ && begin(line)) continue;
      if (sparse_) {
        sparse_row(line, trial);
      } else {
        table_row(line, trial);
      }
      return true;
    }
  }

  LineStream& lines() { return lines_; }
  const LineStream& lines() const { return lines_; }
  const std::vector<std::string>& column_names() const { return names_; }

 private:
  // Learns from the first line of data how lines are written; true if it is a header.
  bool begin(std::string_view line) {
    detail::refuse_foreign(line, lines_.name(), detail::Wanted::table);
    detail::refuse_binary(line, lines_.name(), detail::Wanted::table);
    sparse_ =
        options_.layout == TrialLayout::features && detail::looks_like_libsvm(line).value_or(false);
    if (sparse_) {
      if (options_.table.given() || !options_.label_column.empty())
        throw Error(
            ErrorCode::usage,
            lines_.name() +
                ": rows of 'label index:value …' say themselves how they are written: leave "
                "the column of labels and the options of tables out",
            options_.table.remedies() |
                (options_.label_column.empty() ? Remedies() : Remedies(Remedy::label_column)));
      begun_ = true;
      return false;
    }
    const Separator separator = options_.table.delimiter != 0
                                    ? static_cast<Separator>(options_.table.delimiter)
                                    : detail::sniff_list_separator(line);
    fields_.emplace(separator, detail::FieldSplitter::Empty::allowed);
    separator_ = separator;
    width_ = fields_->split(line, lines_.name(), lines_.line());
    if (width_ < shape_.least) refuse_width(width_);
    choose_roles();
    begun_ = true;
    const bool header = is_header();
    if (header)
      for (const std::size_t i : roles_.values) names_.emplace_back((*fields_)[i]);
    return header;
  }

  void choose_roles() {
    roles_ = {.first = shape_.first, .second = shape_.second, .outcome = shape_.outcome};
    if (options_.layout == TrialLayout::features) roles_.outcome = label_field();
    if (!shape_.values) return;
    if (!options_.table.columns.empty()) {
      for (const int column : options_.table.columns) {
        if (static_cast<std::size_t>(column) > width_)
          throw Error(ErrorCode::usage,
                      "column " + std::to_string(column) + " is asked for: there are " +
                          std::to_string(width_),
                      Remedy::columns);
        roles_.values.push_back(static_cast<std::size_t>(column - 1));
      }
      return;
    }
    for (std::size_t i = 0; i < width_; ++i) {
      const int field = static_cast<int>(i);
      if (field != roles_.first && field != roles_.second && field != roles_.outcome)
        roles_.values.push_back(i);
    }
  }

  int label_field() {
    const std::string& column = options_.label_column;
    if (column.empty())
      throw Error(ErrorCode::usage,
                  lines_.name() + ": which column holds the outcome? give its name or number",
                  Remedy::label_column);
    if (const auto number = parse_number<std::int64_t>(column)) {
      if (*number < 1 || *number > static_cast<std::int64_t>(width_))
        bad_line(lines_.name(), lines_.line(),
                 std::to_string(width_) + " columns; " + column +
                     ", that of the outcome, is none of them; number columns from 1",
                 Remedy::label_column);
      return static_cast<int>(*number - 1);
    }
    for (std::size_t i = 0; i < width_; ++i) {
      if ((*fields_)[i] != column) continue;
      named_ = true;
      return static_cast<int>(i);
    }
    bad_line(lines_.name(), lines_.line(),
             "no column " + shown(column) + " in the header; give its name or its number from 1");
  }

  bool is_header() const {
    if (options_.header != TableHeader::automatic) return options_.header == TableHeader::yes;
    if (named_) return true;
    if (options_.layout == TrialLayout::node || options_.layout == TrialLayout::cell) {
      const auto first = (*fields_)[0];
      return detail::is_header_word(first) || detail::equal_ignoring_case(first, "row") ||
             detail::equal_ignoring_case(first, "user");
    }
    if (options_.predictions_as_text) {
      return roles_.outcome >= 0 &&
             detail::equal_ignoring_case((*fields_)[static_cast<std::size_t>(roles_.outcome)],
                                         "outcome");
    }
    return std::ranges::none_of(roles_.values, [&](std::size_t i) {
      return detail::parse_decimal((*fields_)[i], mark()).has_value();
    });
  }

  char mark() const { return options_.table.decimal == ',' ? ',' : '.'; }

  [[noreturn]] void refuse_width(std::size_t found) const {
    const std::string fields = std::to_string(found) + (found == 1 ? " field" : " fields");
    if (begun_)
      bad_line(lines_.name(), lines_.line(),
               fields + "; expected " + std::to_string(width_) + " separated by " +
                   to_string(separator_) + ", as on the first line; give every line the same");
    bad_line(lines_.name(), lines_.line(),
             fields + " separated by " + to_string(separator_) + "; expected " + shape_.wanted +
                 "; tell what separates them",
             Remedy::delimiter);
  }

  void clear(OnlineTrial& trial) const {
    trial.outcome = trial.first = trial.second = {};
    trial.values.clear();
    trial.columns.clear();
    trial.texts.clear();
    trial.sparse = sparse_;
  }

  void sparse_row(std::string_view line, OnlineTrial& trial) {
    clear(trial);
    const std::size_t comment = line.find('#');
    if (comment != std::string_view::npos) line = detail::trimmed(line.substr(0, comment));
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view label = line.substr(0, end);
    if (label.find(':') == std::string_view::npos) {
      set_outcome(label, trial);
      line.remove_prefix(end);
    }
    detail::read_sparse_row(line, lines_.name(), lines_.line(), trial.columns, trial.values);
  }

  void table_row(std::string_view line, OnlineTrial& trial) {
    clear(trial);
    const std::size_t found = fields_->split(line, lines_.name(), lines_.line());
    if (found != width_) refuse_width(found);
    const auto field = [&](int i) {
      return i < 0 ? std::string_view{} : (*fields_)[static_cast<std::size_t>(i)];
    };
    trial.first = field(roles_.first);
    trial.second = field(roles_.second);
    set_outcome(field(roles_.outcome), trial);
    for (const std::size_t i : roles_.values) {
      if (options_.predictions_as_text)
        trial.texts.push_back((*fields_)[i]);
      else
        trial.values.push_back(number_in(i));
    }
  }

  double number_in(std::size_t i) const {
    const std::string_view text = (*fields_)[i];
    const std::optional<double> value = detail::parse_decimal(text, mark());
    if (value && std::isfinite(*value)) return *value;
    bad_line(lines_.name(), lines_.line(),
             "column " + std::to_string(i + 1) + " is " + (text.empty() ? "empty" : shown(text)) +
                 "; expected a finite number; mend the line, or leave out lines with errors",
             Remedy::skip_errors);
  }

  void set_outcome(std::string_view text, OnlineTrial& trial) const {
    const auto& words = options_.missing.words;
    if (std::ranges::find(words, text) == words.end()) trial.outcome = text;
  }

  LineStream lines_;
  TrialReadOptions options_;
  LeadingFields shape_;
  bool begun_ = false;   // the first line of data was seen
  bool sparse_ = false;  // libsvm
  bool named_ = false;   // the outcome's column is told by its name
  std::size_t width_ = 0;
  Roles roles_;
  Separator separator_ = Separator::blanks;
  std::optional<detail::FieldSplitter> fields_;
  std::vector<std::string> names_;
};

TrialReader::TrialReader(LineStream lines, TrialReadOptions options)
    : parser_(std::make_unique<Parser>(std::move(lines), std::move(options))) {}
TrialReader::~TrialReader() = default;
TrialReader::TrialReader(TrialReader&&) noexcept = default;

bool TrialReader::next(OnlineTrial& trial) { return parser_->next(trial); }
bool TrialReader::ready() { return parser_->lines().ready(); }
std::int64_t TrialReader::line() const { return parser_->lines().line(); }
const std::string& TrialReader::name() const { return parser_->lines().name(); }
const std::vector<std::string>& TrialReader::column_names() const {
  return parser_->column_names();
}

}  // namespace gssl
