#include <cmath>

#include "evaluate/bounds/bound_list.hpp"

namespace gssl::detail {
namespace {

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

}  // namespace

std::vector<Bound> bounds_of_graphs() {
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

}  // namespace gssl::detail
