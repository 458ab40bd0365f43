#include "gssl/evaluate/bounds.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "evaluate/bounds/bound_list.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/suggestion.hpp"

namespace gssl {

namespace {

constexpr double rounding = 1e-12;

bool holds(const Bound& bound, const BoundValues& values, double spare) {
  return bound.left(values) <= bound.right(values) * (1.0 + spare);
}

// Values of a quantity in order: whole numbers, or the doubles of 0 or more, which are ordered as
// their bits are.
std::uint64_t place_of(const BoundQuantity& quantity, double value) {
  return quantity.integer ? static_cast<std::uint64_t>(value) : std::bit_cast<std::uint64_t>(value);
}

double value_at(const BoundQuantity& quantity, std::uint64_t place) {
  return quantity.integer ? static_cast<double>(place) : std::bit_cast<double>(place);
}

const BoundQuantity* find_quantity(const Bound& bound, std::string_view name) {
  const auto at = std::ranges::find(bound.quantities, name, &BoundQuantity::name);
  return at == bound.quantities.end() ? nullptr : &*at;
}

void check_value(const Bound& bound, const BoundQuantity& quantity, double value) {
  const bool whole = !quantity.integer || value == std::floor(value);
  if (whole && value >= quantity.low && value <= quantity.high) return;
  throw Error(ErrorCode::usage, bound.name + ": " + quantity.name + "=" + to_text(value) +
                                    ": must be " + (quantity.integer ? "a whole number " : "") +
                                    "from " + to_text(quantity.low) + " to " +
                                    to_text(quantity.high));
}

// The quantity to solve for; fills in the standard values of the others.
const BoundQuantity& complete(const Bound& bound, BoundValues& values) {
  std::vector<const BoundQuantity*> missing;
  std::string names;
  for (const BoundQuantity& quantity : bound.quantities) {
    const auto at = values.find(quantity.name);
    if (at != values.end() && !std::isnan(at->second)) continue;
    if (at == values.end() && quantity.standard >= 0.0) {
      values[quantity.name] = quantity.standard;
      continue;
    }
    missing.push_back(&quantity);
    names += (names.empty() ? "" : ", ") + quantity.name;
  }
  if (missing.size() == 1) return *missing.front();
  throw Error(ErrorCode::usage, missing.empty()
                                    ? bound.name + ": all is given: leave out what to solve for"
                                    : bound.name + ": " + names + ": give all of these but one");
}

// Errors are counted among the m examples.
void check_errors(const Bound& bound, const BoundValues& given) {
  const auto errors = given.find("errors"), m = given.find("m");
  if (errors == given.end() || m == given.end() || !(errors->second > m->second)) return;
  throw Error(ErrorCode::usage, bound.name + ": errors=" + to_text(errors->second) +
                                    ": must be at most m=" + to_text(m->second));
}

// A whole number that the search missed by rounding.
double snapped(double value) {
  const double whole = std::round(value);
  return std::abs(value - whole) <= 5.0 * rounding * value ? whole : value;
}

}  // namespace

const std::vector<Bound>& bounds() {
  static const std::vector<Bound> all = [] {
    std::vector<Bound> list = detail::bounds_of_test_sets();
    for (auto&& more : {detail::bounds_of_classes(), detail::bounds_of_online_learners(),
                        detail::bounds_of_graphs()})
      list.insert(list.end(), more.begin(), more.end());
    return list;
  }();
  return all;
}

const Bound& bound_named(const std::string& name) {
  std::vector<std::string> names;
  for (const Bound& bound : bounds()) {
    if (bound.name == name) return bound;
    names.push_back(bound.name);
  }
  throw Error(ErrorCode::usage, "no bound '" + name + "': " + suggestion(name, names));
}

BoundSolution solve_bound(const Bound& bound, const BoundValues& given) {
  for (const auto& [name, value] : given) {
    const BoundQuantity* quantity = find_quantity(bound, name);
    if (quantity == nullptr) {
      std::vector<std::string> names;
      for (const BoundQuantity& known : bound.quantities) names.push_back(known.name);
      throw Error(ErrorCode::usage,
                  bound.name + ": no quantity '" + name + "': " + suggestion(name, names));
    }
    if (!std::isnan(value)) check_value(bound, *quantity, value);
  }
  check_errors(bound, given);
  BoundSolution found{.unknown = {}, .values = given};
  const BoundQuantity& unknown = complete(bound, found.values);
  found.unknown = unknown.name;
  double& value = found.values[unknown.name];
  const bool least = unknown.solve == BoundQuantity::Solve::smallest;
  double spare = 0.0;
  const auto holds_at = [&](std::uint64_t place) {
    value = value_at(unknown, place);
    return holds(bound, found.values, spare);
  };
  // Between a place where it holds and one where it does not.
  std::uint64_t good = place_of(unknown, least ? unknown.high : unknown.low);
  std::uint64_t bad = place_of(unknown, least ? unknown.low : unknown.high);
  // A number that is not whole is on the side where the bound holds without any spare.
  if (unknown.integer || !holds_at(good)) spare = rounding;
  if (!holds_at(good)) {
    throw Error(ErrorCode::bad_data, bound.name + ": no " + unknown.name + " from " +
                                         to_text(unknown.low) + " to " + to_text(unknown.high) +
                                         " makes the bound hold");
  }
  if (holds_at(bad)) {
    if (least || unknown.high < detail::largest_count) return found;
    throw Error(ErrorCode::bad_data, bound.name + ": the bound holds for every " + unknown.name +
                                         " up to " + to_text(unknown.high) +
                                         ", the end of its range: there is no largest one");
  }
  while ((least ? good - bad : bad - good) > 1) {
    const std::uint64_t middle = least ? bad + (good - bad) / 2 : good + (bad - good) / 2;
    (holds_at(middle) ? good : bad) = middle;
  }
  value = value_at(unknown, good);
  if (!unknown.integer) value = snapped(value);
  return found;
}

double log_growth(double m, double dimension) {
  if (dimension >= m) return m * std::log(2.0);
  // Terms relative to the largest, the last or that at the middle: Σ C(m,i) by logarithms.
  double log_term = 0.0, log_sum = 0.0;
  for (double i = 1.0; i <= dimension; ++i) {
    log_term += std::log((m - i + 1.0) / i);
    const double high = std::max(log_sum, log_term);
    log_sum = high + std::log1p(std::exp(std::min(log_sum, log_term) - high));
    // Past the middle what is left adds nothing once it is below the last digit.
    if (i > m / 2.0 && log_term < log_sum - 45.0) break;
  }
  return log_sum;
}

}  // namespace gssl
