#include <algorithm>
#include <cmath>
#include <iterator>

#include "evaluate/bounds/bound_list.hpp"

namespace gssl::detail {
namespace {

double realizable_vc(const BoundValues& q) {
  const double epsilon = get(q, "epsilon");
  return std::max(4.0 / epsilon * std::log2(2.0 / get(q, "delta")),
                  8.0 * get(q, "dimension") / epsilon * std::log2(13.0 / epsilon));
}

// ln of what Sauer's form says of m points, which no more than all 2^m ways can be: near m = d it
// says more, and would make a class seem richer as points are fewer.
double log_sauer(double m, double d) {
  const double all = m * std::log(2.0);
  return m <= d ? all : std::min(all, d * (std::log(m / d) + 1.0));
}

double agnostic_vc(const BoundValues& q) {
  const double m = get(q, "m");
  const double growth = log_sauer(2.0 * m, get(q, "dimension"));
  return std::sqrt((growth + std::log(4.0 / get(q, "delta"))) / m);
}

double sauer(const BoundValues& q) { return std::exp(log_sauer(get(q, "m"), get(q, "dimension"))); }

// How far the error on m examples is from that on all.
std::vector<Bound> error_bounds() {
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
       "sqrt((min(2 m ln 2, dimension (ln(2 m/dimension) + 1)) + ln(4/delta))/m) <= gap",
       "Vapnik 1995, doi:10.1007/978-1-4757-3264-1, section 3.7",
       {dimension(), delta(), examples(), gap()},
       agnostic_vc,
       the("gap")}};
}

// How rich a class is, and what support vectors say of the error.
std::vector<Bound> capacity_bounds() {
  return {
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
       "min(2^m, (e m/dimension)^dimension) <= functions",
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

}  // namespace

std::vector<Bound> bounds_of_classes() {
  std::vector<Bound> all = error_bounds();
  std::ranges::move(capacity_bounds(), std::back_inserter(all));
  return all;
}

}  // namespace gssl::detail
