// What models tell of what they learned, held against the scores that they give.

#include <algorithm>
#include <map>
#include <sstream>

#include "gssl/core/rng.hpp"
#include "gssl/learn/registry.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr std::int64_t columns = 4;

const LearnerRegistry& learners() {
  static const LearnerRegistry all = builtin_learners();
  return all;
}

// 40 rows, the class or value mostly told by the first columns.
Dataset some_rows(int classes, bool binary = false) {
  Rng rng(3, 0);
  std::vector<double> x, y;
  std::vector<int> k;
  for (int r = 0; r < 40; ++r) {
    for (std::int64_t c = 0; c < columns; ++c)
      x.push_back(binary ? (c == 0 ? r % 2 : static_cast<double>(rng.below(2)))
                         : (c == r % 3 ? 1.0 : 0.0) + 0.5 * rng.uniform());
    k.push_back(r % std::max(classes, 1));
    y.push_back(2.0 * x[static_cast<std::size_t>(r) * columns] + 0.1 * rng.uniform());
  }
  const std::vector<std::string> names = {"a", "b", "c"};
  return make_dataset(
      Points::dense(40, columns, std::move(x)),
      classes == 0 ? Targets::reals(std::move(y))
                   : Targets::classes(std::move(k), {names.begin(), names.begin() + classes}));
}

ModelNames model_names(const Dataset& data) {
  return {{"p", "q", "r", "s"}, data.targets.class_names()};
}

std::vector<std::vector<ModelCell>> rows_of(const ModelPart& part) {
  std::vector<std::vector<ModelCell>> rows;
  for (std::int64_t r = 0; r < part.rows; ++r) rows.push_back(part.row(r));
  return rows;
}

// f(row) = b + Σ coefficient·x for each class named in the part; "" for a regression.
std::map<std::string, double> by_coefficients(const ModelPart& part, const Points& points,
                                              VertexId row) {
  std::map<std::string, double> x = {{"(bias)", 1.0}}, f;
  const std::vector<std::string> names = {"p", "q", "r", "s"};
  points.visit_row(row, [&](std::int64_t c, double v) { x[names[std::size_t(c)]] = v; });
  for (const auto& cells : rows_of(part)) {
    const std::string of = cells.size() == 3 ? std::get<std::string>(cells[0]) : "";
    const auto& column = std::get<std::string>(cells[cells.size() - 2]);
    f[of] += x[column] * std::get<double>(cells.back());
  }
  return f;
}

}  // namespace

TEST_CASE("Every model: its parts have the shape that they say, also after saving", "[parts]") {
  int with_parts = 0;
  for (const LearnerEntry* entry : learners().of_kinds({LearnerKind::inductive}))
    for (const Dataset& data : {some_rows(2), some_rows(3), some_rows(2, true), some_rows(0)}) {
      INFO(entry->name << ", " << data.targets.class_count() << " classes");
      Trained trained;
      const MadeLearner made = learners().make(entry->name);
      // Not every learner takes every kind of target.
      if (error_of([&] { trained = made.inductive().fit(data); })) continue;
      Record record;
      trained.model->save(record);
      const auto again = entry->load_model(record);
      const auto parts = trained.model->parts(model_names(data)),
                 after = again->parts(model_names(data));
      REQUIRE(parts.size() == after.size());
      with_parts += parts.empty() ? 0 : 1;
      for (std::size_t p = 0; p < parts.size(); ++p) {
        CHECK(parts[p].rows > 0);
        for (const auto& cells : rows_of(parts[p]))
          REQUIRE(cells.size() == parts[p].headings.size());
        CHECK(rows_of(parts[p]) == rows_of(after[p]));
      }
    }
  CHECK(with_parts > 20);
}

TEST_CASE("Coefficients explain the scores of linear models", "[parts]") {
  for (const char* spec :
       {"ridge", "least-squares", "linear-svm", "perceptron", "winnow", "gradient-descent"})
    for (const int classes : {0, 2, 3}) {
      const Dataset data = some_rows(classes, std::string(spec) == "winnow");
      INFO(spec << ", " << classes << " classes");
      Trained trained;
      const MadeLearner made = learners().make(spec);
      if (error_of([&] { trained = made.inductive().fit(data); })) continue;
      const auto parts = trained.model->parts(model_names(data));
      REQUIRE(parts.size() == 1);
      REQUIRE(parts[0].name == "coefficients");
      if (parts[0].headings.front() == "one") continue;  // of a class against the rest
      const Block scores = trained.model->scores(data.points);
      for (VertexId r = 0; r < 40; ++r)
        for (const auto& [name, f] : by_coefficients(parts[0], data.points, r)) {
          const auto& all = data.targets.class_names();
          const auto k = name.empty() ? 0 : std::ranges::find(all, name) - all.begin();
          CHECK(f == Approx(scores(r, k)).margin(1e-9));
        }
    }
}

TEST_CASE("Support vectors of a linear kernel add up to the scores", "[parts]") {
  const Dataset data = some_rows(2);
  const Trained trained = learners().make("svm:kernel=linear,c=1").inductive().fit(data);
  const auto parts = trained.model->parts(model_names(data));
  REQUIRE(parts.size() == 1);
  std::vector<double> w(columns, 0.0);
  double bias = 0.0;
  for (const auto& cells : rows_of(parts[0])) {
    const double coefficient = std::get<double>(cells[1]);
    if (std::get<std::string>(cells[0]) == "bias") bias = coefficient;
    std::istringstream values(std::get<std::string>(cells[2]));
    for (std::string value; values >> value;) {
      const std::size_t colon = value.find(':');
      w[std::stoul(value) - 1] += coefficient * std::stod(value.substr(colon + 1));
    }
  }
  const Block scores = trained.model->scores(data.points);
  for (VertexId r = 0; r < 40; ++r) {
    double f = bias;
    data.points.visit_row(r, [&](std::int64_t c, double x) { f += w[std::size_t(c)] * x; });
    CHECK(f == Approx(scores(r, 1)).margin(1e-9));
  }
}
