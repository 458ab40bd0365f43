#include <algorithm>
#include <numeric>

#include "gssl/data/dataset.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

using Words = std::vector<std::string>;

ErrorCode code_of(const std::optional<Error>& error) {
  REQUIRE(error);
  return error->code();
}

}  // namespace

TEST_CASE("classes are numbered by name, integers by value", "[data]") {
  const Targets words = Targets::classes(Words{"spam", "ham", "spam"});
  CHECK(words.class_names() == Words{"ham", "spam"});
  CHECK(words.class_of() == std::vector<int>{1, 0, 1});
  CHECK(Targets::classes(Words{"10", "9", "-1"}).class_names() == Words{"-1", "9", "10"});
  CHECK(Targets::classes(Words{"10", "9", "b"}).class_names() == Words{"10", "9", "b"});
  CHECK(words.class_sizes() == std::vector<std::int64_t>{1, 2});
}

TEST_CASE("targets become one-hot rows or one column", "[data]") {
  const Block hot = Targets::classes({1, 0}, {"a", "b", "c"}).block();
  CHECK(hot == Block(2, 3, std::vector<double>{0, 1, 0, 1, 0, 0}));
  CHECK(Targets::reals({0.5, -1.0}).block() == Block(2, 1, std::vector<double>{0.5, -1.0}));
}

TEST_CASE("a selection of targets keeps the names of classes it lost", "[data]") {
  const Targets all = Targets::classes(Words{"a", "b", "c"});
  const std::vector<std::int32_t> rows = {2, 2, 0};
  CHECK(all.select(rows).class_of() == std::vector<int>{2, 2, 0});
  CHECK(all.select(rows).class_names() == Words{"a", "b", "c"});
  CHECK(Targets::reals({1, 2, 3}).select(rows).values() == std::vector<double>{3, 3, 1});
  const std::vector<std::int32_t> beyond = {3};
  CHECK(code_of(error_of([&] { all.select(beyond); })) == ErrorCode::bad_data);
}

TEST_CASE("targets out of range are refused by row", "[data]") {
  const auto error = error_of([] { Targets::reals({0.0, NAN}); });
  CHECK(code_of(error) == ErrorCode::bad_data);
  CHECK_THAT(error->what(), Catch::Contains("row 1"));
  CHECK(code_of(error_of([] { Targets::classes({0, 2}, {"a", "b"}); })) == ErrorCode::bad_data);
  CHECK(code_of(error_of([] { Targets::classes({-1}, {"a"}); })) == ErrorCode::bad_data);
}

TEST_CASE("selected rows of points are stored as they were", "[data]") {
  const std::vector<std::int32_t> rows = {2, 0, 2};
  const Points dense = Points::dense(3, 2, std::vector<float>{1, 2, 3, 4, 5, 6});
  const Points some = select(dense, rows);
  CHECK(some.is_float());
  CHECK(std::ranges::equal(some.floats(), std::vector<float>{5, 6, 1, 2, 5, 6}));
  const Points sparse = select(as_sparse(dense), rows);
  CHECK(sparse.is_sparse());
  double sum = 0.0;
  sparse.visit_row(1, [&](std::int64_t c, double x) { sum += x * static_cast<double>(c + 1); });
  CHECK(sum == 1.0 * 1 + 2.0 * 2);
}

TEST_CASE("a data set has a target, and a weight if any, for each row", "[data]") {
  const Points points = Points::dense(2, 1, std::vector<double>{0, 1});
  const Targets two = Targets::classes(Words{"a", "b"});
  const auto refused = [&](Targets targets, std::vector<double> weights, Words names) {
    const auto make = [&] { make_dataset(points, targets, weights, names); };
    return code_of(error_of(make)) == ErrorCode::bad_data;
  };
  CHECK(refused(Targets::classes(Words{"a"}), {}, {}));
  CHECK(refused(two, {1.0}, {}));
  CHECK(refused(two, {1.0, -1.0}, {}));
  CHECK(refused(two, {1.0, INFINITY}, {}));
  CHECK(refused(two, {0.0, 0.0}, {}));
  CHECK(refused(two, {1e308, 1e308}, {}));
  CHECK(refused(two, {}, {"x", "y"}));
  CHECK(code_of(error_of([] { make_dataset({}, {}); })) == ErrorCode::bad_data);
  const Dataset data = make_dataset(points, two, {0.5, 2.0}, {"x"});
  const std::vector<std::int32_t> last = {1};
  CHECK(select(data, last).weight(0) == 2.0);
  CHECK(data.column_name(0) == "x");
}

TEST_CASE("folds are disjoint, cover every row and share out each class evenly", "[data]") {
  Words labels(23, "rare");
  std::fill(labels.begin() + 7, labels.end(), "common");
  const Targets targets = Targets::classes(labels);
  Rng rng(3);
  std::vector<int> tested(23, 0);
  for (const Split& split : stratified_folds(targets, 5, rng)) {
    CHECK(split.test.size() + split.training.size() == 23);
    CHECK(std::ranges::is_sorted(split.test));
    CHECK((split.test.size() == 4 || split.test.size() == 5));
    for (const std::int32_t r : split.test) ++tested[static_cast<std::size_t>(r)];
    const auto rare = targets.select(split.test).class_sizes()[1];
    CHECK((rare == 1 || rare == 2));
  }
  CHECK(tested == std::vector<int>(23, 1));
  CHECK(code_of(error_of([&] { stratified_folds(targets, 24, rng); })) == ErrorCode::usage);
  CHECK(code_of(error_of([&] { stratified_folds(targets, 1, rng); })) == ErrorCode::usage);
}

TEST_CASE("random labels are so many of each class, another set for another stream", "[data]") {
  const Targets targets = Targets::classes(Words{"a", "b", "a", "b", "a", "b", "a", "b"});
  Rng one(1, 0), again(1, 0), other(1, 7);
  const Split split = random_labels(targets, 2, one);
  CHECK(targets.select(split.training).class_sizes() == std::vector<std::int64_t>{2, 2});
  CHECK(split.test.size() == 4);
  CHECK(random_labels(targets, 2, again).training == split.training);
  CHECK(random_labels(targets, 2, other).training != split.training);
  const auto error = error_of([&] { random_labels(targets, 5, one); });
  CHECK(code_of(error) == ErrorCode::bad_data);
  CHECK_THAT(error->what(), Catch::Contains("class a: 4 rows"));
}
