#include <bit>

#include "array_files.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/io/points_reader.hpp"
#include "io_support.hpp"
#include "points_formats.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using namespace std::string_literals;
using Catch::Contains;

namespace {

PointsFile points_of(std::string_view bytes, const PointsReadOptions& options = {},
                     const std::string& member = {}, int threads = 1) {
  RunContext run;
  run.threads = threads;
  return detail::parse_points(detail::TextSource::from_memory(bytes, "points"), member, options,
                              run);
}

// "1 2|3 4" and what the rows are.
std::string described(const Points& points) {
  std::string out = points.is_sparse() ? "sparse " : "";
  out += points.is_float() ? "float " : "double ";
  for (VertexId r = 0; r < points.rows(); ++r) {
    for (std::int64_t c = 0; c < points.columns(); ++c) {
      out += (c > 0 ? " " : r > 0 ? "|" : "") + to_text(points.value(r, c));
    }
  }
  return out;
}

std::string read(std::string_view bytes, const PointsReadOptions& options = {},
                 const std::string& member = {}) {
  return described(points_of(bytes, options, member).points);
}

}  // namespace

TEST_CASE("Tables by commas, tabs and blanks, with comments, line ends and a missing last one") {
  const std::string expected = "double 1 -2.5|3 4000";
  for (const char* text :
       {"1,-2.5\n3,4e3\n", "1\t-2.5\n3\t4e3\n", "1 -2.5\n3  4e3\n", " 1  -2.5 \n\t3 4e3",
        "1,-2.5\r\n3,4e3\r\n", "# x\n\n1 , -2.5\n% y\n 3,\"4e3\"",
        "\xEF\xBB\xBF"
        "1,-2.5\n+3,+4e3\n",
        "a,b\n1,-2.5\n3,4e3\n", "\"a, b\",\n1,-2.5\n3,4e3\n"}) {
    INFO(text);
    CHECK(read(text) == expected);
  }
  CHECK(points_of("").points.rows() == 0);
  CHECK(points_of("a,b\n").points.rows() == 0);
  CHECK(read("7\n8\n") == "double 7|8");
}

TEST_CASE("Label and id columns go by name or number, and rows are named by them") {
  const std::string text = "id,x,class,y\nann,1,a,2\n\"bob, b\",3,\"b \"\"c\"\"\",4\n";
  for (const PointsReadOptions& options :
       {PointsReadOptions{.label_column = "class", .id_column = "id"},
        PointsReadOptions{.label_column = "3", .id_column = "1"},
        PointsReadOptions{.label_column = "class", .id_column = "1"}}) {
    const PointsFile file = points_of(text, options);
    CHECK(described(file.points) == "double 1 2|3 4");
    CHECK(file.labels == std::vector<std::string>{"a", "b \"c\""});
    CHECK(file.names.name(1) == "bob, b");
    CHECK(file.names.find("ann") == 0);
    CHECK(file.stats.lines == 3);
    CHECK(file.stats.format == "table"s);
  }
  CHECK(points_of("5.1,3.5,setosa\n4,5,\n", {.label_column = "3"}).labels ==
        std::vector<std::string>{"setosa", ""});
  CHECK(points_of("1,2\n").names.name(0) == "0");
  CHECK(read("0,1\n2,3\n", {.header = TableHeader::yes}) == "double 2 3");
  CHECK(read(",0,1\n9,2,3\n", {.header = TableHeader::yes, .id_column = "1"}) == "double 2 3");
}

TEST_CASE("A large table is the same at any thread count") {
  Rng rng(3);
  std::string text = "x,y,name,class\n";
  for (int i = 0; i < 100000; ++i) {
    text += to_text(rng.uniform()) + "," + to_text(rng.uniform()) + ",p" + std::to_string(i) + "," +
            (i % 3 == 0 ? "\"a,b\"" : "c") + "\n";
  }
  const PointsReadOptions options{.label_column = "class", .id_column = "name"};
  const PointsFile one = points_of(text, options, "", 1);
  const PointsFile four = points_of(text, options, "", 4);
  CHECK(one.points.rows() == 100000);
  CHECK(std::vector(one.points.doubles().begin(), one.points.doubles().end()) ==
        std::vector(four.points.doubles().begin(), four.points.doubles().end()));
  CHECK(one.labels == four.labels);
  CHECK(four.names.find("p99999") == 99999);
  const auto error = error_of([&] { points_of(text + "1,x,q,c\n1,2\n", options, "", 4); });
  REQUIRE(error);
  CHECK_THAT(error->what(), Contains("points:100002: column 2 (y) is x"));
}

TEST_CASE("npy of every number type, version, order and number of axes") {
  CHECK(read(npy("<f4", "(2, 2)", raw<float>({1, 2.5, 3, 4}))) == "float 1 2.5|3 4");
  CHECK(read(npy("<f8", "(2, 2)", raw<double>({1, 2.5, 3, 4}), false, 2)) == "double 1 2.5|3 4");
  CHECK(read(npy("<f8", "(2, 2)", raw<double>({1, 2.5, 3, 4}), true, 3)) == "double 1 3|2.5 4");
  CHECK(read(npy(">f4", "(1, 2)", raw<float>({1, 2.5}, true))) == "float 1 2.5");
  // Halves: 1, −2.5, the largest, 2⁻¹⁴ (the least normal one) and half of that, −0.
  CHECK(read(npy("<f2", "(3, 2)",
                 raw<std::uint16_t>({0x3C00, 0xC100, 0x7BFF, 0x0400, 0x0200, 0x8000}))) ==
        "float 1 -2.5|65504 6.103515625e-05|3.0517578125e-05 -0");
  CHECK(read(npy("|u1", "(3,)", raw<std::uint8_t>({1, 2, 255}))) == "float 1|2|255");
  CHECK(read(npy("|b1", "(2,)", raw<std::uint8_t>({0, 1}))) == "float 0|1");
  CHECK(read(npy("|i1", "(2,)", raw<std::int8_t>({-1, 1}))) == "float -1|1");
  CHECK(read(npy("<i2", "(2,)", raw<std::int16_t>({-300, 1}))) == "float -300|1");
  CHECK(read(npy("<u2", "(1,)", raw<std::uint16_t>({65535}))) == "float 65535");
  CHECK(read(npy("<i4", "(1,)", raw<std::int32_t>({-70000}))) == "double -70000");
  CHECK(read(npy("<u4", "(1,)", raw<std::uint32_t>({4000000000U}))) == "double 4e+09");
  CHECK(read(npy("<i8", "(1,)", raw<std::int64_t>({-5}))) == "double -5");
  CHECK(read(npy("<u8", "(1,)", raw<std::uint64_t>({5}))) == "double 5");
  CHECK(read(npy("<f4", "(2, 1, 2)", raw<float>({1, 2, 3, 4}))) == "float 1 2|3 4");
  CHECK(read(npy("<f4", "(0, 5)", "")) == "float ");
  const std::string bytes = npy("<f4", "(2, 2)", raw<float>({1, 2.5, 3, 4}));
  CHECK(read(gzip(bytes)) == "float 1 2.5|3 4");
  CHECK(read(zstd(bytes)) == "float 1 2.5|3 4");
}

TEST_CASE("npz takes X or the first array or the one named, stored or deflated, and labels") {
  const std::string first = npy("<f4", "(2, 1)", raw<float>({1, 2}));
  const std::string x = npy("<f8", "(2, 2)", raw<double>({1, 2, 3, 4}));
  const std::string y = npy("<i8", "(2,)", raw<std::int64_t>({7, -1}));
  for (const bool packed : {false, true}) {
    for (const bool wide : {false, true}) {
      const std::string bytes =
          zip({{"a.npy", first, packed}, {"X.npy", x, packed}, {"y.npy", y, packed}}, wide);
      CHECK(read(bytes) == "double 1 2|3 4");
      CHECK(read(bytes, {}, "a") == "float 1|2");
      CHECK(points_of(bytes, {.label_column = "y"}).labels == std::vector<std::string>{"7", "-1"});
      CHECK(read(zip({{"a.npy", first, packed}, {"b.npy", x, packed}}, wide)) == "float 1|2");
      CHECK(read(gzip(bytes)) == "double 1 2|3 4");
    }
  }
  const TemporaryDirectory dir;
  const std::string path = dir.file("two.npz", zip({{"a.npy", first}, {"X.npy", x}}));
  CHECK(described(read_points(path, {}, {}).points) == "double 1 2|3 4");
  CHECK(described(read_points(path + ":a", {}, {}).points) == "float 1|2");
  CHECK(points_file_path(path + ":a") == path);
  CHECK(points_file_path(path) == path);
}

TEST_CASE("libsvm rows are sparse, or dense where that is smaller, and keep their labels") {
  const PointsFile file = points_of("+1 1:0.5 9:2 # note\n-1\n# all\n3 2:-1e1\n");
  CHECK(described(file.points) ==
        "sparse double 0.5 0 0 0 0 0 0 0 2|0 0 0 0 0 0 0 0 0|0 -10 0 0 0 0 0 0 0");
  CHECK(file.labels == std::vector<std::string>{"+1", "-1", "3"});
  CHECK(file.stats.format == "libsvm"s);
  CHECK(read("1 1:1 2:2\n0 1:3 2:+4\n") == "double 1 2|3 4");
  const PointsFile bare = points_of("1:1 2:2\n1:3 2:4\n");
  CHECK(described(bare.points) == "double 1 2|3 4");
  CHECK(bare.labels.empty());
  CHECK(points_of("5\n1 7:1\n").points.rows() == 2);
}

TEST_CASE("idx of bytes, integers and floats, further axes as columns") {
  CHECK(read(idx(8, {2, 1, 2}, "\0\1\2\xFF"s)) == "float 0 1|2 255");
  CHECK(read(idx(9, {1}, "\xFF")) == "float -1");
  CHECK(read(idx(0x0B, {2}, raw<std::int16_t>({-2, 3}, true))) == "float -2|3");
  CHECK(read(idx(0x0C, {1}, raw<std::int32_t>({-70000}, true))) == "double -70000");
  CHECK(read(idx(0x0D, {1, 2}, raw<float>({1.5, 2}, true))) == "float 1.5 2");
  CHECK(read(idx(0x0E, {1, 1}, raw<double>({1.5}, true))) == "double 1.5");
  CHECK(read(gzip(idx(8, {2, 1}, "\3\4"))) == "float 3|4");
}

TEST_CASE(
    "Every format is read packed by gzip and by zstd, and packed bytes cut short are an error") {
  const std::string array = npy("<f4", "(2, 2)", raw<float>({1, 2.5, 3, 4}));
  for (const std::string& bytes :
       {"1,2.5\n3,4\n"s, "0 1:1 2:2.5\n1 1:3 2:4\n"s, array, zip({{"X.npy", array, true}}),
        idx(0x0D, {2, 2}, raw<float>({1, 2.5, 3, 4}, true))}) {
    const std::string expected = read(bytes);
    CAPTURE(expected);
    CHECK_THAT(expected, Contains("1 2.5|3 4"));
    for (const std::string& packed : {gzip(bytes), zstd(bytes)}) {
      CHECK(read(packed) == expected);
      const auto error = error_of([&] { points_of(packed.substr(0, packed.size() - 5)); });
      REQUIRE(error);
      CHECK(error->code() == ErrorCode::bad_data);
    }
  }
}

namespace {

struct Malformed {
  std::string bytes;
  const char* message;
  PointsReadOptions options = {};
  std::string member = {};
};

const std::vector<Malformed> malformed_tables = {
    {"1,2\n3,nan\n", "points:2: column 2 is nan; must be finite"},
    {"1,2\n3,-inf\n", "points:2: column 2 is -inf; must be finite"},
    {"1,2\n3,\n", "points:2: column 2 is empty; expected a number"},
    {"x,y\n3,NA\n", "points:2: column 2 (y) is NA; expected a number"},
    {"1,2\n3,1e999\n", "points:2: column 2 is 1e999; expected a number"},
    {"1,2\n\n3\n", "points:3: 1 field; expected 2 separated by commas, as on line 1"},
    {"1,2\n3,4,5\n", "points:2: 3 fields; expected 2"},
    {"1 2\n3 4 5\n", "points:2: 3 fields; expected 2 separated by blanks"},
    {"1,a\n2,b\n", "points:1: column 2 is a where others are numbers"},
    {"a,b\n1,c\n", "points:2: column 2 (b) is c; expected a number"},
    {"a|b\n1|2\n", "points:2: column 1 (a|b) is 1|2; expected columns separated by blanks"},
    {"1,\"2\n3,4\n", "points:1: a quoted field does not end"},
    {"1,2\n\0,1\n"s, "points:2: binary data"},
    {"\xFF\xFE"
     "1\0,\0"s,
     "points:1: UTF-16"},
    {"a,b\n1,2\n", "points:1: no column named c for labels", {.label_column = "c"}},
    {"a,b\n1,2\n", "points:1: 2 columns; 3, that of ids, is none", {.id_column = "3"}},
    {"x,id\n1,a\n2,b\n3,a\n", "points:4: id a again, as row 0", {.id_column = "id"}},
    {"1 1:2 1:3\n", "points:1: 1:3 after index 1; expected ascending"},
    {"1 1:2\n1 0:3\n", "points:2: 0:3; expected an index from 1"},
    {"1 1:2\n1 2:x\n", "points:2: 2:x; expected index:value"},
    {"1 1:2\n1 2\n", "points:2: 2; expected index:value"},
    {"1 1:nan\n", "points:1: 1:nan; expected a finite"},
    {"1 1:2\n1:3\n", "points:2: rows with and without a label"},
    {"1 9999999999:2\n", "points:1: 9999999999:2; expected an index from 1"},
};

std::vector<Malformed> malformed_arrays() {
  const std::string nan = raw<float>({1, std::bit_cast<float>(0x7FC00000U)});
  const std::string good = npy("<f4", "(2, 1)", raw<float>({1, 2}));
  std::string broken_crc = zip({{"X.npy", good}});
  broken_crc[broken_crc.find("NUMPY") + 20] ^= 1;
  std::string encrypted = zip({{"X.npy", good}});
  encrypted[encrypted.find("PK\1\2") + 8] |= 1;
  std::string bzip = zip({{"X.npy", good}});
  bzip[bzip.find("PK\1\2") + 10] = 12;
  std::string bomb = zip({{"X.npy", good, true}});
  bomb[bomb.find("PK\1\2") + 27] = 0x40;  // a gigabyte, it says
  return {
      {npy("<f4", "(2, 1)", nan), "points: points: row 1: column 0: nan: must be finite"},
      {npy("<f4", "(2, 2)", nan), "points: 8 bytes of numbers; expected 16 for 2 x 2"},
      {npy("<f4", "(1,)", nan), "points: 8 bytes of numbers; expected 4"},
      {npy("<f4", "(2147483647, 0)", ""), "points: 2147483647 rows without a number"},
      {npy("<f4", "(0, 1099511627776)", ""), "no rows of 1099511627776 columns"},
      {idx(8, {0x7FFFFFFF, 0}, ""), "points: 2147483647 rows without a number"},
      {npy("<c8", "(1,)", nan), "points: elements of type <c8; expected floats"},
      {npy("<f2", "(1,)", raw<std::uint16_t>({0x7C00})), "points: points: row 0: column 0: inf"},
      {npy("<c8", "(1,)", nan), "elements of type <c8"},
      {npy("|O", "(1,)", nan), "elements of type |O"},
      {npy("<f4", "()", raw<float>({1})), "points: a single number"},
      {npy("<f4", "(-1,)", nan), "points: shape (-1,); expected whole numbers"},
      {npy("<f4", "(9223372036854775807, 3)", nan), "expected far more"},
      {npy("<f4", "(1, 1, 1)", raw<float>({1}), true), "3 axes in Fortran order"},
      {npy("<f4", "(2,)", nan, false, 4), "not a .npy array of version 1 to 3"},
      {npy("<f4", "(2,)", nan).substr(0, 40), "the head of the .npy array is cut short"},
      {zip({}), "an archive without arrays"},
      {zip({{"X.npy", good}}).substr(0, 60), "the zip archive is cut short or damaged"},
      {zip({{"X.npy", "text"}}), "points:X: not a .npy array"},
      {broken_crc, "the zip archive is cut short or damaged"},
      {encrypted, "array X is encrypted"},
      {bzip, "array X is packed by method 12"},
      {bomb, "the zip archive is cut short or damaged"},
      {zip({{"X.npy", good}}), "no array Z; it has X", {}, "Z"},
      {zip({{"X.npy", good}}), "no array Z; it has X", {.label_column = "Z"}},
      {zip({{"X.npy", good}, {"y.npy", npy("|u1", "(3,)", "abc")}}),
       "3 labels in y; expected one",
       {.label_column = "y"}},
      {idx(8, {2, 2}, "abc"), "points: 3 bytes of numbers; expected 4 for 2 x 2"},
      {idx(7, {1}, "a"), "idx type 7"},
      {"\0\0\x08\3\0\0"s, "not an idx file, or one whose head is cut short"},
      {"12", "not an idx file", {.format = PointsFormat::idx}},
      {"12", "not a .npy array", {.format = PointsFormat::npy}},
      {"12", "zip archive", {.format = PointsFormat::npz}},
  };
}

}  // namespace

TEST_CASE("Malformed points are bad data, with file, line and remedy") {
  std::vector<Malformed> cases = malformed_arrays();
  cases.insert(cases.end(), malformed_tables.begin(), malformed_tables.end());
  for (const Malformed& c : cases) {
    INFO(c.message);
    const auto error = error_of([&] { points_of(c.bytes, c.options, c.member); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
    CHECK_THAT(error->what(), Contains(c.message));
  }
}

TEST_CASE("A column that a format cannot have is a usage error") {
  const std::string array = npy("<f4", "(1,)", raw<float>({1}));
  const auto code_of = [](const std::string& bytes, const PointsReadOptions& options,
                          const std::string& member = {}) {
    const auto error = error_of([&] { points_of(bytes, options, member); });
    REQUIRE(error);
    return error->code();
  };
  CHECK(code_of(array, {.label_column = "y"}) == ErrorCode::usage);
  CHECK(code_of(array, {.id_column = "1"}) == ErrorCode::usage);
  CHECK(code_of(array, {}, "X") == ErrorCode::usage);
  CHECK(code_of("1 1:2\n", {.label_column = "1"}) == ErrorCode::usage);
  CHECK(code_of("a,b\n", {.label_column = "a", .id_column = "1"}) == ErrorCode::usage);
  CHECK(code_of("a,b\n", {.header = TableHeader::no, .id_column = "a"}) == ErrorCode::usage);
  CHECK(error_of([] { parse_points_format("xml"); })->code() == ErrorCode::usage);
  CHECK(error_of([] { parse_table_header("maybe"); })->code() == ErrorCode::usage);
  CHECK(error_of([] { read_points("no-such-file", {}, {}); })->code() == ErrorCode::cannot_open);
}

TEST_CASE("Bytes changed, dropped or added anywhere give points or an error, never anything else") {
  const std::vector<std::string> seeds = {
      "x,y,c\n1,2,a\n3,4,\"b\"\n",
      "1 1:2 3:4\n-1 2:5\n",
      npy("<f4", "(2, 2)", raw<float>({1, 2, 3, 4})),
      idx(8, {2, 2}, "abcd"),
      zip({{"X.npy", npy("<f8", "(2,)", raw<double>({1, 2})), true}}, true),
      zip({{"X.npy", npy("<f8", "(2,)", raw<double>({1, 2}))}})};
  Rng rng(11);
  for (const std::string& seed : seeds) {
    for (int round = 0; round < 2000; ++round) {
      std::string bytes = seed;
      for (std::uint64_t change = rng.below(3) + 1; change > 0 && !bytes.empty(); --change) {
        const std::size_t at = rng.below(bytes.size());
        switch (rng.below(4)) {
          case 0: bytes.resize(at); break;
          case 1: bytes.erase(at, 1); break;
          case 2: bytes.insert(at, 1, static_cast<char>(rng.below(256))); break;
          default: bytes[at] = static_cast<char>(rng.below(256));
        }
      }
      const auto error = error_of([&] { points_of(bytes); });
      CHECK((!error || error->code() == ErrorCode::bad_data));
    }
  }
}

TEST_CASE("Lines that may have been meant for rows are told", "[points]") {
  const auto notes = [](std::string_view text) { return points_of(text).stats.notes.size(); };
  CHECK(notes("x,y\n1,2\n#3,4\n5,6\n") == 1);
  CHECK(notes("# x,y\n1,2\n# a comment\n5,6\n") == 0);
  CHECK(notes("x\n1\n\n3\n") == 1);
  CHECK(notes("x\n1\n3\n\n\n") == 0);
  CHECK(notes("x,y\n1,2\n\n5,6\n") == 0);
}
