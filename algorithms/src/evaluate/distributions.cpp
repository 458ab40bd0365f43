#include "evaluate/distributions.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace gssl::detail {
namespace {

using boost::math::complement;
using Binomial = boost::math::binomial_distribution<double>;
using Normal = boost::math::normal_distribution<double>;
using StudentT = boost::math::students_t_distribution<double>;
using ChiSquared = boost::math::chi_squared_distribution<double>;

}  // namespace

double binomial_exactly(double successes, double trials, double share) {
  return pdf(Binomial(trials, share), successes);
}

double binomial_at_most(double successes, double trials, double share) {
  return cdf(Binomial(trials, share), successes);
}

double binomial_more_than(double successes, double trials, double share) {
  return cdf(complement(Binomial(trials, share), successes));
}

double lowest_share(double successes, double trials, double tail) {
  return Binomial::find_lower_bound_on_p(trials, successes, tail);
}

double highest_share(double successes, double trials, double tail) {
  return Binomial::find_upper_bound_on_p(trials, successes, tail);
}

double student_t_above(double t, double degrees) { return cdf(complement(StudentT(degrees), t)); }

double student_t_at(double tail, double degrees) {
  return quantile(complement(StudentT(degrees), tail));
}

double normal_above(double z) { return cdf(complement(Normal(), z)); }

double normal_at(double tail) { return quantile(complement(Normal(), tail)); }

double chi_squared_above(double x) { return cdf(complement(ChiSquared(1.0), x)); }

}  // namespace gssl::detail
