#include "gssl/evaluate/bounds.hpp"

#include <algorithm>
#include <bit>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <limits>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/suggestion.hpp"

namespace gssl {

namespace {

using Solve = BoundQuantity::Solve;
constexpr auto smallest = Solve::smallest;
constexpr auto largest = Solve::largest;
constexpr double largest_count = 1e15;
constexpr double tiny = 1e-300;

double get(const BoundValues& q, std::string_view name) { return q.find(name)->second; }

BoundQuantity count(std::string name, std::string meaning, Solve solve, double low = 1.0) {
  return {std::move(name), std::move(meaning), solve, true, low, largest_count};
}

BoundQuantity real(std::string name, std::string meaning, Solve solve, double standard = -1.0) {
  return {std::move(name), std::move(meaning), solve, false, tiny, 1e300, standard};
}

BoundQuantity chance(std::string name, std::string meaning, Solve solve = smallest) {
  return {std::move(name), std::move(meaning), solve, false, tiny, 1.0};
}

BoundQuantity delta() { return chance("delta", "chance that the bound fails"); }
BoundQuantity examples() { return count("m", "number of independent examples", smallest); }
BoundQuantity gap() { return real("gap", "how far the measured error may be off", smallest); }
BoundQuantity mistakes() { return {"mistakes", "mistakes at most", smallest, false, 0.0, 1e300}; }
BoundQuantity regret() { return real("regret", "loss beyond that of the best", smallest); }
BoundQuantity hypotheses() {
  return {"hypotheses", "number of hypotheses in the class", largest, false, 1.0, 1e300};
}
BoundQuantity dimension(double low = 1.0) {
  return count("dimension", "VC dimension of the class", largest, low);
}
BoundQuantity experts() { return count("experts", "number of experts", largest); }
BoundQuantity trials(Solve solve) { return count("trials", "number of trials", solve); }

// A side that is one of the quantities.
std::function<double(const BoundValues&)> the(const std::string& name) {
  return [name](const BoundValues& q) { return get(q, name); };
}

double validation_gap(double tails, const BoundValues& q) {
  return std::sqrt(std::log(tails / get(q, "delta")) / (2.0 * get(q, "m")));
}

// P(at most `errors` of m are wrong) where each is wrong with chance `error`.
double few_errors(const BoundValues& q) {
  const double m = get(q, "m"), errors = get(q, "errors"), error = get(q, "error");
  if (error >= 1.0 && errors < m) return 0.0;
  if (errors >= m) return error >= 1.0 ? 0.0 : 1.0;
  return cdf(boost::math::binomial_distribution<double>(m, error), errors);
}

double realizable_vc(const BoundValues& q) {
  const double epsilon = get(q, "epsilon");
  return std::max(4.0 / epsilon * std::log2(2.0 / get(q, "delta")),
                  8.0 * get(q, "dimension") / epsilon * std::log2(13.0 / epsilon));
}

double agnostic_vc(const BoundValues& q) {
  const double m = get(q, "m"), d = get(q, "dimension");
  const double growth = 2.0 * m <= d ? 2.0 * m * std::log(2.0) : d * (std::log(2.0 * m / d) + 1.0);
  return std::sqrt((growth + std::log(4.0 / get(q, "delta"))) / m);
}

double sauer(const BoundValues& q) {
  const double m = get(q, "m"), d = get(q, "dimension");
  return m <= d ? std::exp2(m) : std::pow(std::exp(1.0) * m / d, d);
}

double squared_ratio(const BoundValues& q) {
  const double ratio = get(q, "radius") * get(q, "norm") / get(q, "margin");
  return ratio * ratio;
}

double cover(const BoundValues& q) {
  const double p = get(q, "p");
  return get(q, "cover") + std::pow(get(q, "resistance") * get(q, "energy"), 2.0 / p) / (p - 1.0);
}

double wide_diameter(const BoundValues& q) {
  const double k = get(q, "paths"), length = get(q, "length"), cut = get(q, "cut");
  const double ratio = k * length / cut;
  const double e2 = std::exp(2.0);
  if (ratio <= e2) return get(q, "cover") + 4.0 * cut * length / k;
  return get(q, "cover") + 4.0 * e2 * cut * cut * (std::log(ratio) - 1.0) / (k * k);
}

std::vector<Bound> of_test_sets() {
  return {
      {"validation-set",
       "the error of one classifier is at most that measured on m examples it was not learned "
       "from, "
       "plus gap",
       "sqrt(ln(1/delta)/(2 m)) <= gap",
       "Hoeffding 1963, doi:10.1080/01621459.1963.10500830",
       {examples(), delta(), gap()},
       [](const BoundValues& q) { return validation_gap(1.0, q); },
       the("gap")},
      {"hoeffding",
       "the mean of m independent values in an interval of this width is within gap of its "
       "expectation",
       "width sqrt(ln(2/delta)/(2 m)) <= gap",
       "Hoeffding 1963, doi:10.1080/01621459.1963.10500830",
       {examples(), delta(), gap(), real("width", "of the interval of the values", largest, 1.0)},
       [](const BoundValues& q) { return get(q, "width") * validation_gap(2.0, q); },
       the("gap")},
      {"test-error",
       "a classifier that makes this many errors on m examples it was not learned from has at most "
       "this error",
       "P(Binomial(m, error) <= errors) <= delta",
       "Clopper and Pearson 1934, doi:10.1093/biomet/26.4.404; Langford 2005, JMLR 6",
       {examples(), count("errors", "errors that were made", largest, 0.0), delta(),
        chance("error", "the error is at most")},
       few_errors,
       the("delta")}};
}

std::vector<Bound> of_classes() {
  const auto epsilon = [] { return chance("epsilon", "error, or error beyond the best"); };
  return {
      {"pac-finite",
       "every hypothesis of a finite class that is right on m examples has error at most epsilon",
       "(ln hypotheses + ln(1/delta))/epsilon <= m",
       "Valiant 1984, doi:10.1145/1968.1972; Shalev-Shwartz and Ben-David 2014, chapter 2",
       {epsilon(), delta(), hypotheses(), examples()},
       [](const BoundValues& q) {
         return std::log(get(q, "hypotheses") / get(q, "delta")) / get(q, "epsilon");
       },
       the("m")},
      {"pac-agnostic",
       "the hypothesis of a finite class with the least error on m examples is within epsilon of "
       "the best",
       "2 ln(2 hypotheses/delta)/epsilon^2 <= m",
       "Shalev-Shwartz and Ben-David 2014, chapter 4",
       {epsilon(), delta(), hypotheses(), examples()},
       [](const BoundValues& q) {
         const double e = get(q, "epsilon");
         return 2.0 * std::log(2.0 * get(q, "hypotheses") / get(q, "delta")) / (e * e);
       },
       the("m")},
      {"vc",
       "every hypothesis of a class of this VC dimension that is right on m examples has error at "
       "most epsilon",
       "max(4/epsilon log2(2/delta), 8 dimension/epsilon log2(13/epsilon)) <= m",
       "Blumer, Ehrenfeucht, Haussler and Warmuth 1989, doi:10.1145/76359.76371",
       {epsilon(), delta(), dimension(), examples()},
       realizable_vc,
       the("m")},
      {"vc-agnostic",
       "the error of every hypothesis of a class of this VC dimension is within gap of that on m "
       "examples",
       "sqrt((dimension (ln(2 m/dimension) + 1) + ln(4/delta))/m) <= gap",
       "Vapnik 1995, doi:10.1007/978-1-4757-3264-1, section 3.7",
       {dimension(), delta(), examples(), gap()},
       agnostic_vc,
       the("gap")},
      {"growth",
       "a class of this VC dimension classifies m points in at most so many ways",
       "sum of C(m, i), i = 0 … dimension <= functions",
       "Sauer 1972, doi:10.1016/0097-3165(72)90019-2",
       {count("m", "number of points", largest, 0.0), dimension(0.0),
        real("functions", "ways to classify the points", smallest)},
       [](const BoundValues& q) { return std::exp(log_growth(get(q, "m"), get(q, "dimension"))); },
       the("functions")},
      {"sauer",
       "the same in closed form",
       "(e m/dimension)^dimension <= functions, 2^m for m <= dimension",
       "Sauer 1972, doi:10.1016/0097-3165(72)90019-2",
       {count("m", "number of points", largest, 0.0), dimension(),
        real("functions", "ways to classify the points", smallest)},
       sauer,
       the("functions")},
      {"margin",
       "half-spaces that part points of norm at most radius with this margin have at most this VC "
       "dimension",
       "(radius/margin)^2 <= dimension",
       "Vapnik 1998, chapter 10",
       {real("radius", "largest norm of a point", largest),
        real("margin", "of each point", smallest), real("dimension", "VC dimension", smallest)},
       [](const BoundValues& q) {
         const double ratio = get(q, "radius") / get(q, "margin");
         return ratio * ratio;
       },
       the("dimension")},
      {"svm-leave-one-out",
       "the expected error of a hard-margin support vector machine of m - 1 examples, by those of "
       "m",
       "vectors/m <= error",
       "Vapnik 1998, chapter 10",
       {{"vectors", "expected number of support vectors", largest, false, 0.0, largest_count},
        examples(),
        {"error", "expected error", smallest, false, 0.0, 1.0}},
       [](const BoundValues& q) { return get(q, "vectors") / get(q, "m"); },
       the("error")}};
}

std::vector<Bound> of_online_learners() {
  return {
      {"perceptron",
       "mistakes of the perceptron where a vector of this norm parts all examples with this margin",
       "(radius norm/margin)^2 <= mistakes",
       "Novikoff 1962",
       {real("radius", "largest norm of an example", largest),
        real("norm", "of the vector that parts them", largest, 1.0),
        real("margin", "at every example", smallest, 1.0), mistakes()},
       squared_ratio,
       the("mistakes")},
      {"winnow",
       "mistakes of Winnow on a disjunction of this many of the literals",
       "3 literals (log2 attributes + 1) + 2 <= mistakes",
       "Littlestone 1988, doi:10.1007/BF00116827",
       {count("literals", "relevant ones", largest), count("attributes", "all of them", largest),
        mistakes()},
       [](const BoundValues& q) {
         return 3.0 * get(q, "literals") * (std::log2(get(q, "attributes")) + 1.0) + 2.0;
       },
       the("mistakes")},
      {"halving",
       "mistakes of the majority of the experts that never erred, where one never errs",
       "log2 experts <= mistakes",
       "Littlestone 1988, doi:10.1007/BF00116827",
       {experts(), mistakes()},
       [](const BoundValues& q) { return std::log2(get(q, "experts")); },
       the("mistakes")},
      {"weighted-majority",
       "mistakes of the weighted majority with beta = 1/e",
       "2.63 best + 2.63 ln experts <= mistakes",
       "Littlestone and Warmuth 1994, doi:10.1006/inco.1994.1009",
       {experts(), {"best", "mistakes of the best expert", largest, false, 0.0, 1e300}, mistakes()},
       [](const BoundValues& q) { return 2.63 * (get(q, "best") + std::log(get(q, "experts"))); },
       the("mistakes")},
      {"weighted-average",
       "regret of the weighted average of experts, for a loss that is exp-concave at rate eta",
       "ln experts/eta <= regret",
       "Kivinen and Warmuth 1999, doi:10.1007/3-540-49097-3_13",
       {experts(), real("eta", "rate: 1 for entropic, 1/2 for square loss", smallest), regret()},
       [](const BoundValues& q) { return std::log(get(q, "experts")) / get(q, "eta"); },
       the("regret")},
      {"hedge",
       "regret of Hedge at its best rate, for losses in [0, 1]",
       "sqrt(2 trials ln experts) <= regret",
       "Freund and Schapire 1997, doi:10.1006/jcss.1997.1504",
       {experts(), trials(largest), regret()},
       [](const BoundValues& q) {
         return std::sqrt(2.0 * get(q, "trials") * std::log(get(q, "experts")));
       },
       the("regret")},
      {"exp3",
       "expected regret of EXP3 at its best rate, for losses in [0, 1]",
       "sqrt(2 trials arms ln arms) <= regret",
       "Auer, Cesa-Bianchi, Freund and Schapire 2002, doi:10.1137/S0097539701398375",
       {count("arms", "number of arms", largest), trials(largest), regret()},
       [](const BoundValues& q) {
         const double n = get(q, "arms");
         return std::sqrt(2.0 * get(q, "trials") * n * std::log(n));
       },
       the("regret")},
      {"gradient-descent",
       "regret of online gradient descent against vectors of this norm, at its best rate",
       "norm radius sqrt(trials) <= regret",
       "Zinkevich 2003",
       {real("norm", "of the vector compared with", largest),
        real("radius", "largest norm of an example", largest), trials(largest), regret()},
       [](const BoundValues& q) {
         return get(q, "norm") * get(q, "radius") * std::sqrt(get(q, "trials"));
       },
       the("regret")},
      {"online-to-batch",
       "expected error of an online learner stopped after a random number of up to m examples",
       "mistakes/m <= error",
       "Helmbold and Warmuth 1995, doi:10.1006/jcss.1995.1044",
       {{"mistakes", "mistakes at most on any sequence", largest, false, 0.0, 1e300},
        examples(),
        {"error", "expected error", smallest, false, 0.0, 1.0}},
       [](const BoundValues& q) { return get(q, "mistakes") / get(q, "m"); },
       the("error")}};
}

std::vector<Bound> of_graphs() {
  const auto sets = [] {
    return count("cover", "number of sets that cover the vertices", largest);
  };
  return {
      {"cover",
       "mistakes of minimum p-seminorm interpolation on a graph whose vertices are covered by sets "
       "of this p-resistance diameter",
       "cover + (resistance energy)^(2/p)/(p - 1) <= mistakes",
       "Herbster and Lever 2009, COLT",
       {sets(),
        real("resistance", "largest p-resistance within a set", largest),
        real("energy", "sum of w |u_i - u_j|^p of the labels -1 and 1: 2^p for each cut edge",
             largest),
        {"p", "exponent", smallest, false, 1.0 + 1e-9, 2.0, 2.0},
        mistakes()},
       cover,
       the("mistakes")},
      {"wide-diameter",
       "the same at the best p, where any two vertices of a set are joined by k edge-disjoint "
       "paths",
       "cover + 4 cut length/paths <= mistakes; for paths length/cut > e^2: cover + 4 e^2 cut^2 "
       "(ln(paths length/cut) - 1)/paths^2",
       "Herbster and Lever 2009, COLT",
       {sets(), count("paths", "edge-disjoint paths between any two vertices of a set", smallest),
        count("length", "edges of the longest of them", largest),
        real("cut", "edges between the classes", largest), mistakes()},
       wide_diameter,
       the("mistakes")}};
}

bool holds(const Bound& bound, const BoundValues& values) {
  return bound.left(values) <= bound.right(values) * (1.0 + 1e-12);
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

class ShatterSearch {
 public:
  ShatterSearch(const Block& signs, const RunContext& run) : signs_(signs), run_(run) {}

  VcDimension find() {
    std::vector<std::int64_t> all(static_cast<std::size_t>(signs_.rows()));
    for (std::size_t r = 0; r < all.size(); ++r) all[r] = static_cast<std::int64_t>(r);
    best_.dimension = signs_.rows() == 0 ? -1 : 0;
    if (signs_.rows() > 0) extend({all}, 0);
    return best_;
  }

 private:
  using Groups = std::vector<std::vector<std::int64_t>>;  // rows of each pattern on the chosen

  // Halves every group by its sign in a column; empty where one has a single sign.
  Groups split(const Groups& groups, std::int64_t column) const {
    Groups halves;
    for (const auto& group : groups) {
      std::vector<std::int64_t> sides[2];
      for (const std::int64_t row : group) sides[signs_(row, column) > 0.0 ? 1 : 0].push_back(row);
      if (sides[0].empty() || sides[1].empty()) return {};
      halves.push_back(std::move(sides[0]));
      halves.push_back(std::move(sides[1]));
    }
    return halves;
  }

  // Whether a set larger than the best may come of these: columns and rows of every pattern are
  // enough for it.
  bool promising(const Groups& groups, std::int64_t next) const {
    const auto wanted = best_.dimension + 1 - static_cast<int>(chosen_.size());
    if (wanted <= 0) return true;
    if (signs_.columns() - next < wanted || wanted > 40) return false;
    return std::ranges::all_of(groups, [&](const auto& group) {
      return group.size() >= std::size_t{1} << static_cast<unsigned>(wanted);
    });
  }

  void extend(const Groups& groups, std::int64_t next) {
    run_.throw_if_stopped("VC dimension", "before all sets of columns were tried");
    if (static_cast<int>(chosen_.size()) > best_.dimension)
      best_ = {static_cast<int>(chosen_.size()), chosen_};
    for (std::int64_t column = next; column < signs_.columns(); ++column) {
      if (!promising(groups, column)) return;
      const Groups halves = split(groups, column);
      if (halves.empty()) continue;
      chosen_.push_back(column);
      extend(halves, column + 1);
      chosen_.pop_back();
    }
  }

  const Block& signs_;
  const RunContext& run_;
  std::vector<std::int64_t> chosen_;
  VcDimension best_;
};

}  // namespace

const std::vector<Bound>& bounds() {
  static const std::vector<Bound> all = [] {
    std::vector<Bound> list = of_test_sets();
    for (auto&& more : {of_classes(), of_online_learners(), of_graphs()})
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
  BoundSolution found{.unknown = {}, .values = given};
  const BoundQuantity& unknown = complete(bound, found.values);
  found.unknown = unknown.name;
  double& value = found.values[unknown.name];
  const bool least = unknown.solve == smallest;
  const auto holds_at = [&](std::uint64_t place) {
    value = value_at(unknown, place);
    return holds(bound, found.values);
  };
  // Between a place where it holds and one where it does not.
  std::uint64_t good = place_of(unknown, least ? unknown.high : unknown.low);
  std::uint64_t bad = place_of(unknown, least ? unknown.low : unknown.high);
  if (!holds_at(good)) {
    throw Error(ErrorCode::bad_data, bound.name + ": no " + unknown.name + " from " +
                                         to_text(unknown.low) + " to " + to_text(unknown.high) +
                                         " makes the bound hold");
  }
  if (holds_at(bad)) return found;
  while ((least ? good - bad : bad - good) > 1) {
    const std::uint64_t middle = least ? bad + (good - bad) / 2 : good + (bad - good) / 2;
    (holds_at(middle) ? good : bad) = middle;
  }
  value = value_at(unknown, good);
  return found;
}

VcDimension vc_dimension(const Block& signs, const RunContext& run) {
  return ShatterSearch(signs, run).find();
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
