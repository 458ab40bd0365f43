// The rows of a Gram matrix that are held, and how many.

#include <numeric>
#include <vector>

#include "kernel/row_store.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr std::int32_t items = 60;

Block random_matrix() {
  Rng rng(3);
  Block matrix(items, items);
  for (std::int64_t i = 0; i < items * items; ++i) matrix.data()[i] = rng.normal();
  return matrix;
}

std::vector<std::int32_t> ten_from(std::int32_t first) {
  std::vector<std::int32_t> some(10);
  std::iota(some.begin(), some.end(), first);
  return some;
}

double bytes_of(double rows) { return rows * items * static_cast<double>(sizeof(double)); }

constexpr auto never_idle = [](std::int32_t) { return false; };

}  // namespace

TEST_CASE("A store of rows has those that are wanted, whatever it holds", "[row-store]") {
  const Block matrix = random_matrix();
  const auto gram = gram_of_matrix(matrix);
  for (const double rows : {10.0, 25.0, 60.0}) {
    detail::RowStore<double> store(*gram, bytes_of(rows), 10);
    for (const std::int32_t first : {0, 30, 5, 50, 0, 20, 45, 30}) {
      store.want(ten_from(first), never_idle, on_threads(1));
      for (const std::int32_t i : ten_from(first))
        for (std::int32_t j = 0; j < items; ++j) CHECK(store.row(i)[j] == matrix(i, j));
    }
  }
}

TEST_CASE("A store of rows grows where rows come back, and not beyond its memory", "[row-store]") {
  const auto gram = gram_of_matrix(random_matrix());
  const auto computed_in_rounds = [&](double most, std::int32_t wanted, int rounds) {
    detail::RowStore<double> store(*gram, bytes_of(most), 10, bytes_of(10));
    std::vector<std::int64_t> computed;
    for (int round = 0; round < rounds; ++round) {
      for (std::int32_t first = 0; first < wanted; first += 10)
        store.want(ten_from(first), never_idle, on_threads(1));
      computed.push_back(store.computed());
    }
    return computed;
  };
  // Ten rows are held at first, so that each of thirty comes back until sixty have.
  const auto grown = computed_in_rounds(40, 30, 6);
  CHECK(grown[1] == 60);
  CHECK(grown[3] < 120);
  CHECK(grown[5] == grown[4]);
  // Twenty can be held of the thirty: those that went longest ago are wanted next, without end.
  const auto bounded = computed_in_rounds(20, 30, 6);
  CHECK(bounded[5] == bounded[4] + 30);
}

TEST_CASE("Rows of idle items go first", "[row-store]") {
  const auto gram = gram_of_matrix(random_matrix());
  detail::RowStore<double> store(*gram, bytes_of(20), 10);
  const auto ten_are_idle = [](std::int32_t i) { return i >= 10; };
  store.want(ten_from(0), ten_are_idle, on_threads(1));
  store.want(ten_from(10), ten_are_idle, on_threads(1));
  store.want(ten_from(20), ten_are_idle, on_threads(1));
  CHECK(store.row(0) != nullptr);
  CHECK(store.row(10) == nullptr);
}
