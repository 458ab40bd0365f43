#include <cmath>

#include "gssl/data/labels.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;
using Names = std::vector<std::string>;

TEST_CASE("class names are sorted bytewise, or by value when all are integers") {
  const auto mixed = LabeledSet::classes({4, 2, 0}, Names{"b", "10", "9"});
  CHECK(mixed.class_names() == Names{"10", "9", "b"});
  CHECK(mixed.class_of() == std::vector<int>{2, 0, 1});
  const auto integers = LabeledSet::classes({4, 2, 0, 7}, Names{"10", "9", "-1", "9"});
  CHECK(integers.class_names() == Names{"-1", "9", "10"});
  CHECK(integers.class_of() == std::vector<int>{2, 1, 0, 1});
  CHECK_FALSE(integers.is_regression());
}

TEST_CASE("targets of classes are one-hot rows, real targets are one column") {
  const Block hot = LabeledSet::classes({5, 1}, Names{"y", "x"}).target_block();
  CHECK(hot.rows() == 2);
  CHECK(hot.columns() == 2);
  CHECK((hot(0, 0) == 0.0 && hot(0, 1) == 1.0 && hot(1, 0) == 1.0 && hot(1, 1) == 0.0));
  const auto real = LabeledSet::targets({5, 1}, {0.5, -2.0});
  CHECK(real.is_regression());
  CHECK(real.target_block().columns() == 1);
  CHECK(real.target_block()(1, 0) == -2.0);
}

TEST_CASE("wrong label sets are refused") {
  const auto refused = [](auto call) {
    const auto error = test::error_of(call);
    return error && error->code() == ErrorCode::bad_data;
  };
  CHECK(refused([] { LabeledSet::classes({1, 1}, Names{"a", "b"}); }));
  CHECK(refused([] { LabeledSet::classes({-1}, Names{"a"}); }));
  CHECK(refused([] { LabeledSet::classes({1}, Names{"a", "b"}); }));
  CHECK(refused([] { LabeledSet::classes({1}, std::vector<int>{1}, Names{"a"}); }));
  CHECK(refused([] { LabeledSet::classes({1}, std::vector<int>{-1}, Names{"a"}); }));
  CHECK(refused([] { LabeledSet::targets({1}, {NAN}); }));
  CHECK(refused([] { LabeledSet::targets({1}, {INFINITY}); }));
  CHECK(refused([] { LabeledSet().check_against(3); }));
  CHECK(refused([] { LabeledSet::targets({3}, {1.0}).check_against(3); }));
  CHECK_NOTHROW(LabeledSet::targets({2}, {1.0}).check_against(3));
}

TEST_CASE("decisions take the lowest of tied classes and leave the unreached out") {
  Scores scores{Block(5, 2), std::vector<VertexStatus>(5, VertexStatus::inferred)};
  scores.status[0] = VertexStatus::given;
  scores.status[3] = VertexStatus::unreached;
  const double values[5][2] = {{0, 1}, {0.25, 0.75}, {0.5, 0.5}, {9, 9}, {-1, -2}};
  for (int v = 0; v < 5; ++v)
    for (int k = 0; k < 2; ++k) scores.values(v, k) = values[v][k];
  CHECK(scores.decide() == std::vector<int>{1, 1, 0, -1, 0});
  CHECK(scores.confidence() == std::vector<double>{1.0, 0.75, 0.5, 0.0, 0.0});
  scores.status[1] = VertexStatus::tied;
  CHECK(scores.confidence() == std::vector<double>{1.0, 0.5, 0.5, 0.0, 0.0});
  CHECK(scores.decide() == std::vector<int>{1, 1, 0, -1, 0});
  scores.status[1] = VertexStatus::unfinished;
  CHECK(scores.confidence() == std::vector<double>{1.0, 0.0, 0.5, 0.0, 0.0});
  CHECK(scores.decide() == std::vector<int>{1, -1, 0, -1, 0});
  CHECK(std::string(to_string(VertexStatus::unfinished)) == "unfinished");
  const Scores real{Block(1, 1, -3.0), {VertexStatus::inferred}};
  CHECK(real.confidence() == std::vector<double>{1.0});
  CHECK(std::string(to_string(VertexStatus::unreached)) == "unreached");
}

}  // namespace
