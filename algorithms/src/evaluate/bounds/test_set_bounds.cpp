#include <cmath>

#include "evaluate/bounds/bound_list.hpp"
#include "evaluate/distributions.hpp"

namespace gssl::detail {
namespace {

double validation_gap(double tails, const BoundValues& q) {
  return std::sqrt(std::log(tails / get(q, "delta")) / (2.0 * get(q, "m")));
}

// P(at most `errors` of m are wrong) where each is wrong with chance `error`.
double few_errors(const BoundValues& q) {
  const double m = get(q, "m"), errors = get(q, "errors"), error = get(q, "error");
  if (error >= 1.0 && errors < m) return 0.0;
  if (errors >= m) return error >= 1.0 ? 0.0 : 1.0;
  return binomial_at_most(errors, m, error);
}

}  // namespace

std::vector<Bound> bounds_of_test_sets() {
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

}  // namespace gssl::detail
