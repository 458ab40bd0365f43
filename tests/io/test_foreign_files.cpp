// Files that no reader takes, given to the readers of points.

#include "foreign_files.hpp"
#include "graph_formats.hpp"
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

std::optional<Error> points_error(std::string_view bytes, const PointsReadOptions& options = {}) {
  return error_of([&] {
    detail::parse_points(detail::TextSource::from_memory(bytes, "x"), "", options, RunContext{});
  });
}

std::string graph_message(std::string_view bytes) {
  const auto error = error_of(
      [&] { detail::parse_graph(detail::TextSource::from_memory(bytes, "x"), {}, RunContext{}); });
  if (!error) return {};
  CHECK(error->code() == ErrorCode::bad_data);
  return error->what();
}

}  // namespace

TEST_CASE("Graph files of other programs are named, with what makes a readable one of them") {
  struct Case {
    std::string bytes;
    const char* kind;
    const char* remedy;
  };
  const std::vector<Case> cases = {
      {"{\"nodes\": [], \"links\": []}\n", "JSON", "node_link_graph"},
      {"\x93NUMPY\1\0v\0{'descr'"s, "NumPy", "join them"},
      {"PK\3\4\x14\0\0\0"s, ".npz", "join points"},
      {"#BVGraph properties\ngraphclass = x\n", "BVGraph", "ArcListASCIIGraph"},
      {"PAR1\x15\x04\x15\x20"s, "Parquet", "read_parquet"},
      {gzip(xz("1 2\n")), "packed twice", "xz -dc"},
      {gzip("{\"nodes\": []}\n"), "JSON", "node_link_graph"}};
  for (const Case& c : cases) {
    INFO(c.kind);
    const std::string message = graph_message(c.bytes);
    CHECK_THAT(message, Contains(c.kind));
    CHECK_THAT(message, Contains(c.remedy));
  }
  for (const char* text : {"graph x\nx y\n", "c p\np e\n", "<a> <b>\n", "c 1\np 2\n", "{a} {b}\n",
                           "*v *w\n", "PAR1 PK\n"}) {
    INFO(text);
    CHECK(graph_message(text).empty());
  }
}

TEST_CASE("Files of other kinds are named, with what makes a readable one of them") {
  struct Case {
    std::string bytes;
    const char* kind;
    const char* remedy;
  };
  const std::vector<Case> cases = {
      {"PAR1\x15\x04\x15\x20"s, "Parquet", "read_parquet"},
      {"\x89HDF\r\n\x1A\n\0\0"s, "HDF5", "h5py"},
      {gzip(bzip2("1,2\n")), "packed twice", "bzip2 -dc"},
      {"ARROW1\0\0"s, "Arrow", "read_feather"},
      {std::string(257, 'a') + "ustar\0"s, "tar archive", "tar -xf"},
      {"\x80\4\x95"s, "pickle", "numpy.save"},
      {"<!DOCTYPE html>\n<html><body>404</body></html>\n", "web page", "fetch"},
      {"<?xml version=\"1.0\"?>\n<graphml/>\n", "GraphML", "table"},
      {"{\"x\": 1}\n", "JSON", "read_json"},
      {"[[1, 2], [3, 4]]\n", "JSON", "read_json"},
      {"% by Weka\n\n@RELATION iris\n@ATTRIBUTE x REAL\n@DATA\n1\n", "ARFF", "sed"},
      {"%%MatrixMarket matrix array real general\n1 1\n2\n", "Matrix Market", "mmread"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "Git LFS", "git lfs pull"},
      {gzip(gzip("1 2\n")), "packed twice", "gzip -dc"}};
  for (const Case& c : cases) {
    INFO(c.kind);
    const auto error = points_error(c.bytes);
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
    CHECK_THAT(error->what(), Contains(c.kind));
    CHECK_THAT(error->what(), Contains(c.remedy));
  }
}

TEST_CASE("Text that only looks like another kind is read") {
  for (const char* text : {"PAR1,PAR2\n1,2\n", "BZh1,y\n1,2\n", "[a],b\n1,2\n", "%PDX\n1,2\n",
                           "GIF8,b\n1,2\n", "LZIP1,b\n1,2\n"}) {
    INFO(text);
    CHECK_FALSE(points_error(text));
  }
}

TEST_CASE("Binary data is never a table, wherever it begins") {
  const std::string junk = "\0\1\x08\x02\x7F\x80junk"s;
  for (const PointsFormat format : {PointsFormat::automatic, PointsFormat::table}) {
    for (const std::string& bytes : {junk, "\1\2\3"s, "x,y\n" + junk, "# head\nx\1y,b\n1,2\n"s,
                                     "x\1\n"s, "1,2\n" + std::string(5000, '\n') + "\1"}) {
      const auto error = points_error(bytes, {.format = format});
      REQUIRE(error);
      CHECK(error->code() == ErrorCode::bad_data);
    }
  }
  // Past what is looked at first, and where no number is expected.
  std::string rows;
  for (int i = 0; i < 5000; ++i) rows += "1,a\n";
  CHECK_FALSE(points_error(rows, {.label_column = "2"}));
  const auto error = points_error(rows + "1,a\2\n", {.label_column = "2"});
  REQUIRE(error);
  CHECK_THAT(error->what(), Contains("x:5001: binary data"));
}
