#pragma once
// A model of many classes made of models of two: for each class one that tells it from all others.
// Internal: not installed.

#include <functional>
#include <memory>
#include <vector>

#include "gssl/learn/inductive.hpp"

namespace gssl::detail {

// One model for each class, whose second score is that of the class; nullptr for a class that is
// never to be decided for.
std::unique_ptr<Model> make_one_against_rest(std::vector<std::unique_ptr<Model>> models);

using LoadModel = std::function<std::unique_ptr<Model>(const Record&)>;
// A model of two classes or values by `load_two`; one of many by its parts.
std::unique_ptr<Model> load_two_or_more(const Record& record, const LoadModel& load_two);

}  // namespace gssl::detail
