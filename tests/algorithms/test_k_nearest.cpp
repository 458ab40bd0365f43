#include <algorithm>
#include <cmath>

#include "gssl/batch/k_nearest.hpp"
#include "linear_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

double distance(const Points& a, VertexId i, const Points& b, VertexId j) {
  double square = 0.0;
  for (std::int64_t c = 0; c < a.columns(); ++c)
    square += (a.value(i, c) - b.value(j, c)) * (a.value(i, c) - b.value(j, c));
  return std::sqrt(square);
}

// Every distance sorted, a row of weight w as w rows.
Block slow_scores(const Dataset& weighted, const Points& queries, std::size_t k, bool inverse) {
  const Dataset data = repeated(weighted);
  const Block y = data.targets.block();
  Block scores(queries.rows(), y.columns());
  for (VertexId q = 0; q < queries.rows(); ++q) {
    std::vector<std::pair<double, VertexId>> order;
    for (VertexId r = 0; r < data.points.rows(); ++r)
      order.emplace_back(distance(queries, q, data.points, r), r);
    std::sort(order.begin(), order.end());
    order.resize(std::min(k, order.size()));
    const bool touching = inverse && order[0].first == 0.0;
    double votes = 0.0;
    for (const auto& [far, r] : order) {
      const double share = !inverse ? 1.0 : touching ? (far == 0.0 ? 1.0 : 0.0) : 1.0 / far;
      votes += share;
      for (std::int64_t c = 0; c < y.columns(); ++c) scores(q, c) += share * y(r, c);
    }
    for (std::int64_t c = 0; c < y.columns(); ++c) scores(q, c) /= votes;
  }
  return scores;
}

}  // namespace

TEST_CASE("k nearest rows vote as brute force says", "[k-nearest]") {
  for (const bool classes : {true, false})
    for (const std::int64_t d : {2, 30}) {
      Dataset data = classes ? random_classes(60, d, 3, 41) : random_regression(60, d, 41);
      for (const bool weighted : {false, true}) {
        if (weighted) data.weights = random_weights(60, 41);
        const Points queries = random_points(40, d, 42);
        for (const int k : {1, 4, 7, 500}) {
          CAPTURE(classes, d, weighted, k);
          const std::string spec = "k-nearest:k=" + std::to_string(k);
          CHECK(max_difference(trained(spec, data).model->scores(queries),
                               slow_scores(data, queries, std::size_t(k), false)) < 1e-12);
          CHECK(max_difference(trained(spec + ",weights=inverse", data).model->scores(queries),
                               slow_scores(data, queries, std::size_t(k), true)) < 1e-11);
        }
        // Queries that are training rows: those at distance 0 alone.
        CHECK(max_difference(
                  trained("k-nearest:k=3,weights=inverse", data).model->scores(data.points),
                  slow_scores(data, data.points, 3, true)) < 1e-11);
      }
    }
}

TEST_CASE("sparse rows have the neighbors that they have as dense ones", "[k-nearest]") {
  Dataset data = random_classes(80, 12, 3, 43);
  data.points = random_points(80, 12, 44, 0.7);
  const Points queries = random_points(30, 12, 45, 0.7);
  const Block dense = trained("k-nearest", data).model->scores(queries);
  data.points = as_sparse(data.points);
  CHECK(max_difference(trained("k-nearest", data).model->scores(as_sparse(queries)), dense) <
        1e-12);
}

TEST_CASE("ties: the row of lower number is nearer, the first class is decided for",
          "[k-nearest]") {
  const Dataset data = make_dataset(Points::dense(4, 1, std::vector<double>{1, -1, 3, -3}),
                                    Targets::classes(std::vector<std::string>{"b", "a", "a", "b"}));
  const Points middle = Points::dense(1, 1, std::vector<double>{0});
  const auto decided = [&](const char* spec) {
    const auto fitted = trained(spec, data);
    return decide(fitted.model->scores(middle), fitted.model->score_kind())[0];
  };
  CHECK(decided("k-nearest:k=1") == 1);  // row 0
  CHECK(decided("k-nearest:k=2") == 0);  // one vote each
  CHECK(decided("k-nearest:k=3") == 0);  // b, a, a
}

TEST_CASE("weights below 1 leave places to further rows", "[k-nearest]") {
  Dataset data = make_dataset(Points::dense(4, 1, std::vector<double>{1, 2, 3, 4}),
                              Targets::reals({1, 2, 4, 8}), {0.25, 0.25, 0.5, 1.0});
  const Points zero = Points::dense(1, 1, std::vector<double>{0});
  // One place: ¼·1 + ¼·2 + ½·4.
  CHECK(trained("k-nearest:k=1", data).model->scores(zero)(0, 0) == Approx(2.75));
  // All rows together fill two places.
  CHECK(trained("k-nearest:k=2", data).model->scores(zero)(0, 0) == Approx((2.75 + 8) / 2));
  CHECK(trained("k-nearest:k=9", data).model->scores(zero)(0, 0) == Approx((2.75 + 8) / 2));
}

TEST_CASE("k-nearest gives the same bytes on 1 and 4 threads and after saving", "[k-nearest]") {
  for (const Dataset& data : {random_classes(300, 5, 3, 46), random_regression(300, 5, 46)}) {
    const Points queries = random_points(200, 5, 47);
    for (const char* spec : {"k-nearest", "k-nearest:metric=cosine,weights=inverse",
                             "k-nearest:metric=manhattan,k=1"}) {
      const Trained one = trained(spec, data);
      CHECK(one.model->scores(queries, on_threads(1)) == one.model->scores(queries, on_threads(4)));
      CHECK(survives_saving("k-nearest", *one.model, queries));
    }
  }
}

TEST_CASE("k-nearest refuses what it cannot use", "[k-nearest]") {
  CHECK(error_of([] { made("k-nearest:k=0"); })->code() == ErrorCode::usage);
  CHECK(error_of([] { made("k-nearest:metric=angle"); })->code() == ErrorCode::usage);
  const Dataset zeros = make_dataset(Points::dense(2, 1, std::vector<double>{0, 1}),
                                     Targets::classes(std::vector<std::string>{"a", "b"}));
  CHECK(error_of([&] { trained("k-nearest:metric=cosine", zeros); })->code() ==
        ErrorCode::bad_data);
  const auto fitted = trained("k-nearest", zeros);
  CHECK(error_of([&] { fitted.model->scores(random_points(2, 3, 1)); })->code() ==
        ErrorCode::bad_data);
  const std::atomic<bool> raised{true};
  RunContext run;
  run.cancel = &raised;
  CHECK(error_of([&] { fitted.model->scores(zeros.points, run); })->code() == ErrorCode::cancelled);
}

TEST_CASE("blocks of products find the neighbors that all distances find", "[k-nearest]") {
  for (const double offset : {0.0, 1e4}) {
    Dataset data = random_classes(700, 20, 3, 47);
    std::vector<double> moved;
    for (VertexId r = 0; r < 700; ++r)
      for (std::int64_t c = 0; c < 20; ++c) {
        const double x = r % 7 == 0 ? data.points.value(0, c) : data.points.value(r, c);
        moved.push_back(x + offset);  // equal rows are told apart by their numbers
      }
    data.points = Points::dense(700, 20, moved);
    const Points queries =
        select(data.points, std::vector<std::int32_t>{0, 1, 2, 7, 14, 15, 16, 17, 18, 19, 20, 31,
                                                      42, 53, 64, 75, 86, 97});
    for (const int k : {1, 5, 120, 700}) {
      CAPTURE(offset, k);
      CHECK(max_difference(trained("k-nearest:k=" + std::to_string(k), data).model->scores(queries),
                           slow_scores(data, queries, std::size_t(k), false)) < 1e-12);
    }
    RunContext four;
    four.threads = 4;
    const auto model = trained("k-nearest:k=5", data);
    CHECK(model.model->scores(queries, four) == model.model->scores(queries));
  }
}

TEST_CASE("rows too large or too small for single precision keep their neighbors", "[k-nearest]") {
  for (const double scale : {1e-25, 1e25}) {
    Dataset data = random_classes(600, 15, 2, 48);
    std::vector<double> scaled;
    for (VertexId r = 0; r < 600; ++r)
      for (std::int64_t c = 0; c < 15; ++c) scaled.push_back(scale * data.points.value(r, c));
    const Points plain = data.points;
    const auto expected = trained("k-nearest:k=3", data).model->scores(plain);
    data.points = Points::dense(600, 15, scaled);
    CHECK(trained("k-nearest:k=3", data).model->scores(data.points) == expected);
  }
}
