#pragma once
// The distributions that tests and bounds need, of Boost.Math, whose templates are compiled in one
// file alone. Internal: not installed.
//
//   double p = binomial_at_most(3, 20, 0.5);     // P(at most 3 of 20)

namespace gssl::detail {

// Of successes among `trials`, each with chance `share` in [0, 1].
double binomial_exactly(double successes, double trials, double share);
double binomial_at_most(double successes, double trials, double share);
double binomial_more_than(double successes, double trials, double share);

// The shares at which so few, or so many, successes have the chance `tail`: Clopper and Pearson.
double lowest_share(double successes, double trials, double tail);
double highest_share(double successes, double trials, double tail);

// P(T > t) of Student's t, and the t that is exceeded with chance `tail`.
double student_t_above(double t, double degrees);
double student_t_at(double tail, double degrees);

// The same of the normal distribution of mean 0 and variance 1.
double normal_above(double z);
double normal_at(double tail);

// P(X > x) of the chi-squared distribution of one degree of freedom.
double chi_squared_above(double x);

}  // namespace gssl::detail
