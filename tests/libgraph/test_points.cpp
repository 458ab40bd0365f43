#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "gssl/data/points.hpp"
#include "gssl/graph/knn_lists.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;
using Floats = std::vector<float>;
using Doubles = std::vector<double>;

TEST_CASE("dense points keep the type and the place of every value") {
  const Points a = Points::dense(2, 3, Floats{1, 2, 3, 4, 5, 6});
  CHECK((a.rows() == 2 && a.columns() == 3 && a.is_float() && !a.is_sparse()));
  CHECK((a.value(1, 0) == 4.0 && a.value(0, 2) == 3.0));
  CHECK((a.floats().size() == 6 && a.doubles().empty() && a.offsets().empty()));
  const Points b = Points::dense(1, 2, Doubles{0.1, 1e300});
  CHECK((!b.is_float() && b.value(0, 1) == 1e300 && b.floats().empty()));
}

TEST_CASE("a view is the points that a copy is, and copies nothing") {
  const Floats floats = {1, 2, 3, 4, 5, 6};
  const Points a = Points::dense_view(2, 3, std::span<const float>(floats));
  CHECK(a.floats().data() == floats.data());
  CHECK((a.is_float() && !a.is_sparse() && a.doubles().empty() && a.value(1, 0) == 4.0));
  const Points same = a;
  CHECK(same.floats().data() == floats.data());
  const Doubles doubles = {0.5, 2, 0, 7, 1, 1, 3, 3};
  const Points b = Points::dense_view(4, 2, std::span<const double>(doubles));
  CHECK((!b.is_float() && b.floats().empty() && b.doubles().data() == doubles.data()));
  const Points copied = Points::dense(4, 2, doubles);
  CHECK(knn_lists(b, 2).neighbors == knn_lists(copied, 2).neighbors);
  CHECK(as_sparse(b).value(3, 1) == 3.0);
  const Doubles bad = {1, NAN};
  CHECK(test::error_of([&] { Points::dense_view(1, 2, std::span<const double>(bad)); }));
  CHECK(test::error_of([&] { Points::dense_view(3, 3, std::span<const double>(doubles)); }));
}

TEST_CASE("a view keeps the owner of its values as long as a copy of it is left") {
  auto owner = std::make_shared<const Doubles>(Doubles{1, 2});
  const std::weak_ptr<const Doubles> alive = owner;
  const std::span<const double> values = *owner;
  std::optional<Points> last;
  {
    const Points points = Points::dense_view(1, 2, values, std::move(owner));
    last = points;
  }
  CHECK_FALSE(alive.expired());
  CHECK(last->value(0, 1) == 2.0);
  last.reset();
  CHECK(alive.expired());
}

TEST_CASE("sparse points are 0 where nothing is held") {
  const Points a = Points::sparse(3, 5, {0, 2, 2, 3}, {1, 4, 0}, Floats{7, 8, 9});
  CHECK((a.is_sparse() && a.rows() == 3 && a.columns() == 5));
  CHECK((a.value(0, 1) == 7.0 && a.value(0, 4) == 8.0 && a.value(0, 0) == 0.0));
  CHECK((a.value(1, 3) == 0.0 && a.value(2, 0) == 9.0 && a.value(2, 4) == 0.0));
}

TEST_CASE("points may be none, or have no columns") {
  CHECK(Points().rows() == 0);
  CHECK(Points::dense(0, 4, Floats{}).columns() == 4);
  CHECK(Points::dense(3, 0, Doubles{}).rows() == 3);
  CHECK(Points::sparse(2, 3, {0, 0, 0}, {}, Doubles{}).value(1, 2) == 0.0);
}

TEST_CASE("a value that is not finite is refused with its row and column") {
  const auto message = [](auto call) {
    const auto error = test::error_of(call);
    return error && error->code() == ErrorCode::bad_data ? std::string(error->what()) : "none";
  };
  CHECK_THAT(message([] {
               Points::dense(2, 2, Doubles{1, 2, 3, NAN});
             }),
             Catch::Contains("row 1: column 1: nan"));
  CHECK_THAT(message([] {
               Points::dense(2, 2, Floats{1, -std::numeric_limits<float>::infinity(), 3, 4});
             }),
             Catch::Contains("row 0: column 1: -inf"));
  CHECK_THAT(message([] {
               Points::sparse(2, 9, {0, 1, 3}, {5, 2, 7}, Floats{1, 2, NAN});
             }),
             Catch::Contains("row 1: column 7: nan"));
}

TEST_CASE("points of the wrong shape are refused") {
  const auto refused = [](auto call) {
    const auto error = test::error_of(call);
    return error && error->code() == ErrorCode::bad_data;
  };
  CHECK(refused([] { Points::dense(2, 2, Doubles{1, 2, 3}); }));
  CHECK(refused([] { Points::dense(-1, 2, Doubles{}); }));
  CHECK(refused([] { Points::dense(2, -2, Doubles{}); }));
  CHECK(refused([] { Points::dense(2, 0, Doubles{1}); }));
  CHECK(refused([] { Points::dense(std::int64_t{1} << 31, 0, Doubles{}); }));
  CHECK(refused([] { Points::sparse(2, 3, {0, 1}, {0}, Doubles{1}); }));
  CHECK(refused([] { Points::sparse(1, 3, {0, 1}, {0, 1}, Doubles{1}); }));
  CHECK(refused([] { Points::sparse(2, 3, {0, 2, 1}, {0}, Doubles{1}); }));
  CHECK(refused([] { Points::sparse(1, 3, {0, 1}, {3}, Doubles{1}); }));
  CHECK(refused([] { Points::sparse(1, 3, {0, 1}, {-1}, Doubles{1}); }));
  CHECK(refused([] { Points::sparse(1, 3, {0, 2}, {1, 1}, Doubles{1, 2}); }));
  CHECK(refused([] { Points::sparse(1, 3, {0, 2}, {2, 1}, Doubles{1, 2}); }));
}

}  // namespace
