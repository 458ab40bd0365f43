#pragma once
// Data and a slow twin for the tests of trees and what is built of them.

#include <string>
#include <vector>

#include "gssl/batch/tree.hpp"

namespace gssl::test {

// Few distinct values, so that ties abound; classes depend on the values and on chance.
Dataset random_classes(int rows, int columns, int classes, int levels, std::uint64_t seed);
Dataset random_values(int rows, int columns, int levels, std::uint64_t seed);
// Eight gaussian groups about random centers, the class of a group its number modulo `classes`.
Dataset gaussian_groups(int rows, int columns, int classes, std::uint64_t seed);

// A table of ../shared/data/points/sklearn: "rows,columns,classes…", then rows, the class last.
// No rows where it is absent.
Dataset shared_table(const std::string& name);
Dataset shared_ionosphere();

// The rows of a dataset with other weights, or in sparse form.
Dataset weighted(const Dataset& data, std::vector<double> weights);
Dataset sparse(const Dataset& data);

// Share of the rows whose class is not the one decided for.
double error_of(const Model& model, const Dataset& data);

// The tree by its definition: at every node every column sorted, every cut tried on a copy.
DecisionTree slow_tree(const Dataset& data, const TreeOptions& options);

// The same cuts at the same places, answers and weights within 1e-12.
bool same_tree(const DecisionTree& a, const DecisionTree& b);

}  // namespace gssl::test
