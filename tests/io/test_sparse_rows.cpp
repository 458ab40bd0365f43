// Sparse matrices that SciPy saved, as points.

#include "array_files.hpp"
#include "gssl/io/points_reader.hpp"
#include "io_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

namespace {

std::string text_array(const std::string& word) {
  return npy("|S" + std::to_string(word.size()), "()", word);
}

template <class T>
std::string integers(std::initializer_list<T> values) {
  return npy(sizeof(T) == 8 ? "<i8" : "<i4", "(" + std::to_string(values.size()) + ",)",
             raw<T>(values));
}

std::string doubles(std::initializer_list<double> values) {
  return npy("<f8", "(" + std::to_string(values.size()) + ",)", raw<double>(values));
}

PointsFile points(const std::string& bytes, const PointsReadOptions& options = {}) {
  const TemporaryDirectory folder;
  return read_points(folder.file("m.npz", bytes), options);
}

// Rows of 2 x 3: 0 5 1 / 2 0 0, the first not in order.
std::string by_rows() {
  return zip({{"indices.npy", integers<std::int32_t>({2, 1, 0})},
              {"indptr.npy", integers<std::int32_t>({0, 2, 3})},
              {"format.npy", text_array("csr")},
              {"shape.npy", integers<std::int64_t>({2, 3})},
              {"data.npy", doubles({1, 5, 2})}});
}

std::string shown(const Points& points) {
  std::string text;
  for (VertexId r = 0; r < points.rows(); ++r) {
    for (std::int64_t c = 0; c < points.columns(); ++c)
      text += (c == 0 ? "" : " ") + std::to_string(static_cast<int>(points.value(r, c)));
    text += '\n';
  }
  return text;
}

}  // namespace

TEST_CASE("A sparse matrix that is not square is rows of points", "[formats][sparse]") {
  const PointsFile file = points(by_rows());
  CHECK(file.points.is_sparse());
  CHECK(shown(file.points) == "0 5 1\n2 0 0\n");
  CHECK(file.names.size() == 2);
  const std::string by_columns = zip({{"indices.npy", integers<std::int64_t>({1, 0, 0})},
                                      {"indptr.npy", integers<std::int64_t>({0, 1, 2, 3})},
                                      {"format.npy", text_array("csc")},
                                      {"shape.npy", integers<std::int64_t>({2, 3})},
                                      {"data.npy", doubles({2, 5, 1})}});
  CHECK(shown(points(by_columns).points) == "0 5 1\n2 0 0\n");
  // Of pairs the same cell may be given twice, which SciPy adds.
  const std::string pairs = zip({{"row.npy", integers<std::int32_t>({0, 1, 0, 0})},
                                 {"col.npy", integers<std::int32_t>({1, 0, 2, 1})},
                                 {"format.npy", text_array("coo")},
                                 {"shape.npy", integers<std::int64_t>({2, 3})},
                                 {"data.npy", doubles({2, 2, 1, 3})}});
  CHECK(shown(points(pairs).points) == "0 5 1\n2 0 0\n");
}

TEST_CASE("Matrices of SciPy are their rows, square or not", "[formats][sparse]") {
  for (const char* name : {"scipy_csr.npz", "scipy_csc.npz", "scipy_coo.npz", "scipy_bsr.npz"}) {
    INFO(name);
    const PointsFile file = read_points(source_path(std::string("tests/foreign/") + name).string());
    REQUIRE(file.points.rows() == 5);
    CHECK(file.points.value(0, 2) == 0.125);
    CHECK(file.points.value(1, 2) == 2.0);
    CHECK(file.points.value(3, 2) == 1e300);
  }
}

TEST_CASE("Sparse points that are wrong are refused", "[formats][sparse]") {
  CHECK(error_of([] { points(by_rows(), {.label_column = "y"}); })->code() == ErrorCode::bad_data);
  const auto error = [](std::int64_t rows, std::int64_t columns, double value) {
    const std::string bytes = zip({{"row.npy", integers<std::int32_t>({0})},
                                   {"col.npy", integers<std::int32_t>({1})},
                                   {"format.npy", text_array("coo")},
                                   {"shape.npy", integers<std::int64_t>({rows, columns})},
                                   {"data.npy", doubles({value})}});
    return error_of([&] { points(bytes); });
  };
  CHECK_FALSE(error(2, 3, 1.0));
  CHECK_THAT(error(1'000'000'000, 3, 1.0)->what(), Contains("1000000000 vertices"));
  CHECK_THAT(error(2, std::int64_t{1} << 40, 1.0)->what(), Contains("columns"));
  CHECK(error(2, 3, std::numeric_limits<double>::quiet_NaN())->code() == ErrorCode::bad_data);
  CHECK(error(2, 1, 1.0)->code() == ErrorCode::bad_data);
}
