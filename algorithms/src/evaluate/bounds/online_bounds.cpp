#include <algorithm>
#include <cmath>
#include <iterator>

#include "evaluate/bounds/bound_list.hpp"

namespace gssl::detail {
namespace {

double squared_ratio(const BoundValues& q) {
  const double ratio = get(q, "radius") * get(q, "norm") / get(q, "margin");
  return ratio * ratio;
}

// Learners that are judged by their mistakes.
std::vector<Bound> mistake_bounds() {
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
       {experts(),
        {"best", "mistakes of the best expert", largest, false, 0.0, largest_real},
        mistakes()},
       [](const BoundValues& q) { return 2.63 * (get(q, "best") + std::log(get(q, "experts"))); },
       the("mistakes")}};
}

// Learners that are judged by their loss beside that of another.
std::vector<Bound> regret_bounds() {
  return {
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
       the("regret")}};
}

Bound online_to_batch_bound() {
  return {"online-to-batch",
          "expected error of an online learner stopped after a random number of up to m examples",
          "mistakes/m <= error",
          "Helmbold and Warmuth 1995, doi:10.1006/jcss.1995.1044",
          {{"mistakes", "mistakes at most on any sequence", largest, false, 0.0, largest_real},
           examples(),
           {"error", "expected error", smallest, false, 0.0, 1.0}},
          [](const BoundValues& q) { return get(q, "mistakes") / get(q, "m"); },
          the("error")};
}

}  // namespace

std::vector<Bound> bounds_of_online_learners() {
  std::vector<Bound> all = mistake_bounds();
  std::ranges::move(regret_bounds(), std::back_inserter(all));
  all.push_back(online_to_batch_bound());
  return all;
}

}  // namespace gssl::detail
