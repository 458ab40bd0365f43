// gssl bound: what learning theory says, solved for the quantity that is not given.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string_view>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/evaluate/bounds.hpp"
#include "gssl/io/points_reader.hpp"
#include "session.hpp"

namespace gssl::tool {
namespace {

constexpr const char* vc_dimension_name = "vc-dimension";

struct BoundOptions {
  std::string name;
  std::vector<std::string> assignments;
  bool list = false;
};

// "key=value" in two; ErrorCode::usage without a '='.
std::pair<std::string, std::string> split_assignment(const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos)
    throw Error(ErrorCode::usage, text + ": write key=value, as in delta=0.05");
  return {text.substr(0, at), text.substr(at + 1)};
}

BoundValues parse_values(const BoundOptions& options) {
  BoundValues values;
  for (const std::string& assignment : options.assignments) {
    const auto [key, text] = split_assignment(assignment);
    if (values.contains(key)) throw Error(ErrorCode::usage, key + ": given twice");
    const auto number = parse_number<double>(text);
    if (text != "?" && (!number || !std::isfinite(*number)))
      throw Error(ErrorCode::usage,
                  fmt::format("{}={}: must be a number, or ? to solve for it", key, text));
    values[key] = text == "?" ? std::numeric_limits<double>::quiet_NaN() : *number;
  }
  return values;
}

// Of what counts things, which a bound gives as a real number: no more than 60.3 is no more than
// 60. A number that rounding left just below a whole one is that.
double rounded_down(const std::string& quantity, double value) {
  const std::initializer_list<std::string_view> counts = {"mistakes", "best", "dimension",
                                                          "functions"};
  if (std::ranges::find(counts, quantity) == counts.end()) return value;
  return std::floor(value + std::min(0.1, 1e-9 * value));
}

void write_list(OutputFile& out, TableFormat format) {
  TableWriter table(out, format, {"name", "quantities", "formula", "statement", "reference"});
  const auto row = [&](const std::string& name, const std::string& quantities,
                       const std::string& formula, const std::string& statement,
                       const std::string& reference) {
    for (const std::string& cell : {name, quantities, formula, statement, reference})
      table.text(cell);
    table.end_row();
  };
  for (const Bound& bound : bounds()) {
    std::string names;
    for (const BoundQuantity& quantity : bound.quantities) {
      names += (names.empty() ? "" : " ") + quantity.name;
      if (quantity.standard >= 0.0) names += "=" + to_text(quantity.standard);
    }
    row(bound.name, names, bound.formula, bound.statement, bound.reference);
  }
  row(vc_dimension_name, "matrix", "largest set of columns on which the rows take every pattern",
      "VC dimension of the classifiers that are the rows of a matrix of signs, by search",
      "Vapnik and Chervonenkis 1971, doi:10.1137/1116025");
}

void solve(Session& session, const BoundOptions& options, OutputFile& out) {
  const Bound& bound = bound_named(options.name);
  const BoundValues given = parse_values(options);
  const BoundSolution found = solve_bound(bound, given);
  TableWriter table(out, session.options().table_format(), {"quantity", "value", "how", "meaning"});
  for (const BoundQuantity& quantity : bound.quantities) {
    const bool solved = quantity.name == found.unknown;
    const double there = found.values.at(quantity.name);
    const double value = solved ? rounded_down(quantity.name, there) : there;
    table.text(quantity.name);
    table.number(value);
    table.text(solved ? "solved" : given.contains(quantity.name) ? "given" : "default");
    table.text(quantity.meaning);
    table.end_row();
    session.summary.set("quantities." + quantity.name, value);
  }
  session.summary.set("bound", bound.name);
  session.summary.set("solved", found.unknown);
  session.say(fmt::format("{}: {}", bound.name, bound.statement));
  session.say(fmt::format("{}; {}", bound.formula, bound.reference));
}

void search(Session& session, const BoundOptions& options, OutputFile& out) {
  const std::string path = split_assignment(options.assignments.front()).second;
  const PointsFile file = session.timed("read", [&] { return read_points(path, {}, session.run); });
  Block signs(file.points.rows(), file.points.columns());
  if (signs.rows() == 0)
    throw Error(ErrorCode::bad_data, file.stats.path + ": no rows; expected a classifier in each");
  for (VertexId r = 0; r < file.points.rows(); ++r)
    for (std::int64_t c = 0; c < signs.columns(); ++c) signs(r, c) = file.points.value(r, c);
  const VcDimension found =
      session.timed("solve", [&] { return vc_dimension(signs, session.run); });
  TableWriter table(out, session.options().table_format(), {"quantity", "value"});
  table.text("dimension");
  table.integer(found.dimension);
  table.end_row();
  for (const std::int64_t column : found.shattered) {
    table.text("shattered");
    table.integer(column + 1);
    table.end_row();
  }
  session.summary.set("bound", vc_dimension_name);
  session.summary.set("dimension", found.dimension);
  session.say(fmt::format("{} classifiers of {} points shatter {} of them", signs.rows(),
                          signs.columns(), found.dimension));
}

int bound(Session& session, const BoundOptions& options) {
  const bool by_search = options.name == vc_dimension_name;
  if (options.list == !options.name.empty())
    throw Error(ErrorCode::usage, "give the NAME of a bound, or --list");
  std::string matrix;
  if (by_search) {
    if (options.assignments.size() != 1 || !options.assignments.front().starts_with("matrix="))
      throw Error(ErrorCode::usage, "vc-dimension: give matrix=FILE, a classifier in each row");
    matrix = split_assignment(options.assignments.front()).second;
  }
  session.prepare({matrix}, {session.options().output});
  OutputFile out(session.options().output);
  if (options.list)
    write_list(out, session.options().table_format());
  else if (by_search)
    search(session, options, out);
  else
    solve(session, options, out);
  out.commit();
  return 0;
}

}  // namespace

Verb add_bound(CLI::App& app, CommonOptions& common) {
  CLI::App& verb =
      add_verb(app, "bound", "Bounds of learning theory, solved for what is not given.",
               {"gssl bound --list", "gssl bound validation-set m=1000 delta=0.05",
                "gssl bound pac-finite epsilon=0.1 delta=0.05 hypotheses=1024",
                "gssl bound test-error m=200 errors=7 delta=0.05"});
  const auto options = std::make_shared<BoundOptions>();
  verb.add_option("NAME", options->name, "bound to solve; see --list")->type_name("NAME");
  verb.add_option("VALUES", options->assignments,
                  "key=value for every quantity but one; key=? to solve for one that has a default")
      ->type_name("KEY=VALUE");
  verb.add_flag("--list", options->list, "write all bounds with their quantities and formulas");
  add_output_options(verb, common);
  add_time_limit(verb, common);
  add_run_options(verb, common);
  return [options](Session& session) { return bound(session, *options); };
}

}  // namespace gssl::tool
