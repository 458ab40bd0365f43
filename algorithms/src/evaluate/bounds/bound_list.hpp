#pragma once
// What the lists of bounds are written with: quantities by their kind, and the lists themselves.
// Internal: not installed.
//
//   {"halving", "mistakes of …", "log2 experts <= mistakes", "Littlestone 1988",
//    {experts(), mistakes()}, [](const BoundValues& q) { return std::log2(get(q, "experts")); },
//    the("mistakes")}

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/evaluate/bounds.hpp"

namespace gssl::detail {

std::vector<Bound> bounds_of_test_sets();
std::vector<Bound> bounds_of_classes();
std::vector<Bound> bounds_of_online_learners();
std::vector<Bound> bounds_of_graphs();

inline constexpr auto smallest = BoundQuantity::Solve::smallest;
inline constexpr auto largest = BoundQuantity::Solve::largest;
inline constexpr double largest_count = 1e15;
inline constexpr double largest_real = 1e300;
inline constexpr double tiny = 1e-300;

inline double get(const BoundValues& q, std::string_view name) { return q.find(name)->second; }

inline BoundQuantity count(std::string name, std::string meaning, BoundQuantity::Solve solve,
                           double low = 1.0) {
  return {std::move(name), std::move(meaning), solve, true, low, largest_count};
}

inline BoundQuantity real(std::string name, std::string meaning, BoundQuantity::Solve solve,
                          double standard = -1.0) {
  return {std::move(name), std::move(meaning), solve, false, tiny, largest_real, standard};
}

inline BoundQuantity chance(std::string name, std::string meaning,
                            BoundQuantity::Solve solve = smallest) {
  return {std::move(name), std::move(meaning), solve, false, tiny, 1.0};
}

inline BoundQuantity delta() { return chance("delta", "chance that the bound fails"); }
inline BoundQuantity examples() { return count("m", "number of independent examples", smallest); }
inline BoundQuantity gap() {
  return real("gap", "how far the measured error may be off", smallest);
}
inline BoundQuantity mistakes() {
  return {"mistakes", "mistakes at most", smallest, false, 0.0, largest_real};
}
inline BoundQuantity regret() { return real("regret", "loss beyond that of the best", smallest); }
inline BoundQuantity hypotheses() {
  return {"hypotheses", "number of hypotheses in the class", largest, false, 1.0, largest_real};
}
inline BoundQuantity dimension(double low = 1.0) {
  return count("dimension", "VC dimension of the class", largest, low);
}
inline BoundQuantity experts() { return count("experts", "number of experts", largest); }
inline BoundQuantity trials(BoundQuantity::Solve solve) {
  return count("trials", "number of trials", solve);
}

// A side that is one of the quantities.
inline std::function<double(const BoundValues&)> the(const std::string& name) {
  return [name](const BoundValues& q) { return get(q, name); };
}

}  // namespace gssl::detail
