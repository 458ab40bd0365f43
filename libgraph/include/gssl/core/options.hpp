#pragma once
// The one place where text becomes options: a table of name, type, range, default and help that
// parses, checks, documents and echoes.
//
//   OptionTable table;
//   table.real("tolerance", 1e-10, {0.0, 1.0}, "relative residual to reach")
//        .choice("mass", "none", {"none", "cmn", "priors"}, "how scores are rescaled");
//   OptionValues values = table.parse("tolerance=1e-6,mass=cmn", "harmonic");
//   values.real("tolerance");   // 1e-6
//   values.echo();              // "tolerance=1e-06,mass=cmn": every option, in table order

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gssl {

// Open interval borders are excluded, NaN always is.
struct RealRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;
  bool high_open = false;
};

struct IntegerRange {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
};

struct OptionSpec {
  enum class Type { real, integer, flag, choice, text };
  std::string name;
  Type type = Type::text;
  std::string default_value;
  RealRange real_range;
  IntegerRange integer_range;
  std::vector<std::string> choices;
  std::string help;
  bool quiet = false;  // echo() leaves it out unless it was given

  std::string range_text() const;  // "(0, 1]", "≥ 1", "none|cmn|priors", …
};

// Checked values, one for every option of the table they came from. Asking for a name or type the
// table does not have is a bug and throws ErrorCode::internal.
class OptionValues {
 public:
  double real(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  bool flag(std::string_view name) const;
  const std::string& text(std::string_view name) const;  // choice or text
  bool changed(std::string_view name) const;  // not the default; false if there is no such option
  bool given(std::string_view name) const;    // set by the user, not by default
  // The numbers of a text option that were given as such; nullptr: it has a text.
  const std::vector<double>* numbers(std::string_view name) const;

  // Set an option that was not given: a choice, or the numbers of a text option, for which text()
  // and echo() have them separated by ';'.
  void choose(std::string_view name, std::string choice);
  void give(std::string_view name, const std::vector<double>& numbers);

  std::string echo() const;  // "key=value,…" in table order, quiet ones if given; "" if none

 private:
  friend class OptionTable;
  struct Value {
    OptionSpec::Type type = OptionSpec::Type::text;
    std::string text;
    double real = 0.0;
    std::int64_t integer = 0;
    std::optional<std::vector<double>> numbers;
    bool given = false;
    bool changed = false;
    bool quiet = false;
  };
  const Value& find(std::string_view name, OptionSpec::Type type) const;
  Value& set_text(std::string_view name, OptionSpec::Type type, std::string text);
  std::vector<std::string> order_;
  std::map<std::string, Value, std::less<>> values_;
};

// "name:key=value,…" in its two parts, views of the text; no colon: no assignments.
struct SplitSpec {
  std::string_view name;
  std::string_view assignments;
};
SplitSpec split_spec(std::string_view spec);

class OptionTable {
 public:
  OptionTable& real(std::string name, double default_value, RealRange range, std::string help);
  OptionTable& integer(std::string name, std::int64_t default_value, IntegerRange range,
                       std::string help);
  OptionTable& flag(std::string name, bool default_value, std::string help);
  OptionTable& choice(std::string name, std::string default_value, std::vector<std::string> choices,
                      std::string help);
  OptionTable& text(std::string name, std::string default_value, std::string help);
  // The last one is left out of echo() unless it is given.
  OptionTable& quiet();
  // Those of another table whose names this one does not have.
  OptionTable& add(const OptionTable& other);

  // Parses "key=value,key=value" (empty: all defaults). A flag may stand alone; a comma inside
  // round brackets belongs to the value. `owner` starts
  // every message. Throws ErrorCode::usage on an unknown or repeated key, a value of the wrong type
  // or out of range; an unknown key lists those that exist.
  OptionValues parse(std::string_view assignments, std::string_view owner) const;

  const std::vector<OptionSpec>& specs() const { return specs_; }

 private:
  OptionTable& add(OptionSpec spec);
  std::vector<OptionSpec> specs_;
};

}  // namespace gssl
