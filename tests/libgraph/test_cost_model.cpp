// The list of constants by which a bench varies the cost model, and that choices ask the model.

#include <cstddef>
#include <string>
#include <vector>

#include "gssl/graph/generators.hpp"
#include "gssl/linalg/spectrum.hpp"
#include "gssl/solve/cost_model.hpp"
#include "support/catch.hpp"
#include "support/costs_in_use.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// As they are declared.
std::vector<std::string> declared_constants() {
  const std::string text = read_file(source_path("libgraph/include/gssl/solve/cost_model.hpp"));
  const std::size_t begin = text.find("struct CostModel {"), end = text.find("\n};", begin);
  const std::string body = text.substr(begin, end - begin);
  const std::string declaration = "\n  double ";
  std::vector<std::string> names;
  for (std::size_t at = body.find(declaration); at != std::string::npos;
       at = body.find(declaration, at)) {
    at += declaration.size();
    names.push_back(body.substr(at, body.find(" = ", at) - at));
  }
  return names;
}

}  // namespace

TEST_CASE("the list of constants has every member of the cost model under its name",
          "[cost-model]") {
  const auto listed = cost_constants();
  const std::vector<std::string> declared = declared_constants();
  REQUIRE(listed.size() * sizeof(double) == sizeof(CostModel));
  REQUIRE(declared.size() == listed.size());
  CostModel model;
  const double* const first = &(model.*listed[0].value);
  for (std::size_t i = 0; i < listed.size(); ++i) {
    INFO(declared[i]);
    CHECK(listed[i].name == declared[i]);
    CHECK(&(model.*listed[i].value) - first == static_cast<std::ptrdiff_t>(i));
    CHECK(model.*listed[i].value > 0.0);  // half of 0 would be no other
  }
}

TEST_CASE("a model that is set is the one in use", "[cost-model]") {
  for (const CostConstant& constant : cost_constants()) {
    CostModel model;
    model.*constant.value *= 2.0;
    const CostsInUse costs(model);
    CHECK(cost_model().*constant.value == model.*constant.value);
  }
  CHECK(cost_model().dense_rows == CostModel().dense_rows);
}

TEST_CASE("eigenpairs are chosen for by the model", "[cost-model]") {
  const Graph grid = grid_graph(12, 12);
  CHECK(smallest_eigenpairs(grid, {.count = 3}, on_threads(1)).used == "dense");
  const CostsInUse costs({.dense_rows = 100.0});
  CHECK(smallest_eigenpairs(grid, {.count = 3}, on_threads(1)).used != "dense");
}
