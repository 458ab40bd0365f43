#pragma once
// Bounds of learning theory, each solved for the quantity that is not given.
//
//   const gssl::Bound& bound = gssl::bound_named("pac-finite");
//   gssl::BoundSolution s = gssl::solve_bound(bound, {{"epsilon", 0.1}, {"delta", 0.05},
//                                                     {"hypotheses", 1024}});
//   s.unknown;            // "m": the one that was not given
//   s.values.at("m");     // 100: the least number of examples for which the bound holds
//
// A bound is an inequality left ≤ right in quantities that are 0 or more, and each of these makes it
// easier to hold as it grows, or harder. The one that is missing is the least for which it holds, or
// the largest. For a whole number sides are compared with 1e-12 to spare, for rounding; a real
// number is that for which the bound holds as computed, but for a whole number within 5e-12 of it.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/run_context.hpp"

namespace gssl {

using BoundValues = std::map<std::string, double, std::less<>>;

struct BoundQuantity {
  enum class Solve { smallest, largest };  // for which the bound holds
  std::string name;                        // as typed: "delta"
  std::string meaning;
  Solve solve = Solve::smallest;
  bool integer = false;
  double low = 0.0;  // range, both ends included
  double high = 1e300;
  double standard = -1.0;  // taken where it is not given; negative: none
};

struct Bound {
  std::string name;       // "validation-set"
  std::string statement;  // one line: what holds, under what
  std::string formula;    // the inequality, in the names of the quantities
  std::string reference;
  std::vector<BoundQuantity> quantities;
  std::function<double(const BoundValues&)> left;
  std::function<double(const BoundValues&)> right;
};

struct BoundSolution {
  std::string unknown;
  BoundValues values;  // of every quantity
};

// All of them: of test sets, of finite classes, of the VC dimension, of online learners, experts,
// support vector machines, and of prediction on graphs.
const std::vector<Bound>& bounds();

// Throws ErrorCode::usage on an unknown name; the message lists near ones.
const Bound& bound_named(const std::string& name);

// `given` has a value for each quantity but one; those with a standard value may be missing too. To
// solve for one of these, give it as NaN. Throws ErrorCode::usage on an unknown quantity, a value
// out of its range, and unless just one is left to solve for; ErrorCode::bad_data where no value in
// range makes the bound hold. At most 64 evaluations of the two sides.
BoundSolution solve_bound(const Bound& bound, const BoundValues& given);

struct VcDimension {
  int dimension = 0;
  std::vector<std::int64_t> shattered;  // columns of the first largest set, ascending
};

// Of the classifiers that are the rows of `signs` (positive or not) on the points that are its
// columns: the most columns on which the rows take every pattern of signs; −1 without rows. Search
// of sets of columns, O(columns^dimension·rows) at worst. Throws as RunContext::throw_if_stopped.
VcDimension vc_dimension(const Block& signs, const RunContext& run = {});

// ln of Σ_{i ≤ dimension} C(m, i), the most classifications of m points that a class of that VC
// dimension makes (Sauer 1972, doi:10.1016/0097-3165(72)90019-2). O(dimension).
double log_growth(double m, double dimension);

}  // namespace gssl
