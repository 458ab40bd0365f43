// Graph files as people have them: separators, decimal marks, columns.

#include <zlib.h>

#include <filesystem>

#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
using Catch::Contains;

namespace {

Result convert(const std::string& text, std::vector<std::string> options = {}) {
  std::vector<std::string> arguments = {"convert", "-", "-", "--quiet"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run_gssl(arguments, {.input = text});
}

std::string gzipped(const std::string& text, const std::filesystem::path& path) {
  const gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return read_file(path);
}

}  // namespace

TEST_CASE("edges with semicolons, tabs and decimal commas keep their weights") {
  const std::string expected = "u\tv\tweight\na\tb\t1.5\nb\tc\t2.5\n";
  CHECK(convert("a;b;1,5\nb;c;2,5\n").out == expected);
  CHECK(convert("a\tb\t1,5\nb\tc\t2,5\n").out == expected);
  CHECK(convert("a b 1,5\nb c 2,5\n", {"--decimal", ","}).out == expected);
  CHECK(convert("x\na|b|1,5|z\nb|c|2,5|z\n",
                {"--delimiter", "|", "--skip", "1", "--columns", "1,2,3"})
            .out == expected);
}

TEST_CASE("edges that can be read in two ways are refused with their line") {
  const Result r = convert("# c\na b 1,5\nb c 2,5\n");
  CHECK(r.status == 65);
  CHECK(r.out.empty());
  CHECK_THAT(r.err, Contains("<stdin>:2: ") && Contains("--delimiter"));
}

TEST_CASE("wrong options of tables are usage errors") {
  CHECK(convert("a b\n", {"--delimiter", "ab"}).status == 64);
  CHECK(convert("a b\n", {"--decimal", ";"}).status == 64);
  CHECK(convert("a b\n", {"--columns", "0,1"}).status == 64);
  CHECK(convert("a b\n", {"--skip", "-1"}).status == 64);
}

TEST_CASE("points with decimal commas are read or refused") {
  const TemporaryDirectory dir;
  const std::string path = dir.file("p.csv", "1,5;2,5;a\n3,5;4,5;b\n5;6;b\n");
  const Result r = run_gssl({"build", path, "--label-column", "3", "--mst", "--weights", "unit"});
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK_THAT(r.err, Contains("3 points of 2 columns"));
  const Result chosen =
      run_gssl({"build", path, "--columns", "1", "--mst", "--weights", "unit", "-o", "-"});
  CHECK_THAT(chosen.err, Contains("3 points of 1 columns"));
}

TEST_CASE("labels find their vertices in a graph that went through another format") {
  const TemporaryDirectory dir;
  const std::string edges = source_path("datasets/digits/edges.tsv").string();
  const std::string labels = source_path("datasets/digits/labels.tsv").string();
  const std::string expected = run_gssl({"label", edges, labels, "--quiet"}).out;
  REQUIRE_FALSE(expected.empty());
  const std::string mtx = (dir.path() / "d.mtx").string();
  REQUIRE(run_gssl({"convert", edges, mtx}).status == 0);
  CHECK((run_gssl({"label", mtx, labels, "--quiet"}).out == expected));
}

TEST_CASE("ids that do not fit vertices called by their place are warned of") {
  const TemporaryDirectory dir;
  const std::string body = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n";
  const std::string graph = dir.file("g.mtx", body);
  const std::string labels = dir.file("l", "0 x\n2 y\n");  // made for ids from 0
  const std::string truth = dir.file("t", "0 x\n1 x\n2 y\n");
  const Result refused = run_gssl({"label", graph, labels});
  CHECK(refused.status == 65);
  CHECK_THAT(refused.err, Contains("1 to 3"));
  const Result ignored = run_gssl({"label", graph, labels, "--unknown-labels", "ignore"});
  CHECK_THAT(ignored.err, Contains("warning") && Contains("by their place"));
  const Result measured = run_gssl({"label", graph, dir.file("m", "1 x\n2 y\n"), "--truth", truth});
  CHECK_THAT(measured.err, Contains("by their place"));
  const Result fits = run_gssl({"label", graph, dir.file("f", "1 x\n3 y\n")});
  CHECK(fits.err.find("by their place") == std::string::npos);
  const std::string named = dir.file("n.tsv", "1 2\n2 3\n");
  const Result edges = run_gssl({"label", named, labels, "--unknown-labels", "ignore"});
  CHECK(edges.err.find("by their place") == std::string::npos);
}

TEST_CASE("arcs in both directions are merged as told, and the warning counts those that differ") {
  const std::string text = "a b 4\nb a 1\nb c 2\nc b 2\nc d 3\n";
  const auto weights = [&](const std::string& policy) {
    const Result r = convert(text, {"--directed", policy});
    CHECK(r.status == 0);
    return r.out;
  };
  const std::string head = "u\tv\tweight\n";
  CHECK(weights("sum") == head + "a\tb\t5\nb\tc\t4\nc\td\t3\n");
  CHECK(weights("max") == head + "a\tb\t4\nb\tc\t2\nc\td\t3\n");
  CHECK(weights("mean") == head + "a\tb\t2.5\nb\tc\t2\nc\td\t3\n");
  const Result refused = convert(text, {"--directed", "error"});
  CHECK(refused.status == 65);
  CHECK_THAT(refused.err, Contains("<stdin>:2: edge a b") && Contains("line 1"));
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", text);
  const Result silent = run_gssl({"info", graph, "--directed", "max"});
  CHECK(silent.err.find("warning") == std::string::npos);
  const Result warned = run_gssl({"info", graph});
  CHECK_THAT(warned.err, Contains("warning") && Contains(" 1 edges"));
  CHECK_THAT(warned.out, Contains("opposite_differ\t1\n") && Contains("reversed_merged\t2\n"));
}

TEST_CASE("two kinds of vertices do not merge") {
  const std::string ratings = "1,1,5\n1,2,1\n2,1,4\n";
  const std::string expected = "u\tv\tweight\nu:1\tv:1\t5\nu:1\tv:2\t1\nv:1\tu:2\t4\n";
  CHECK(convert(ratings, {"--bipartite"}).out == expected);
  const TemporaryDirectory dir;
  // KONECT: the fourth column is a time.
  const std::string konect =
      dir.file("out.x", "% bip weighted\n% 3 2 2\n1 1 5 100\n1 2 1 100\n2 1 4 200\n");
  const Result r = run_gssl({"convert", konect, "-"});
  CHECK(r.out == expected);
  CHECK_THAT(r.err, Contains("% bip") && Contains("column 4"));
  const std::string rectangular = dir.file(
      "r.mtx", "%%MatrixMarket matrix coordinate integer general\n2 3 3\n1 1 5\n1 2 1\n2 1 4\n");
  CHECK(run_gssl({"info", rectangular}).status == 65);
  const Result matrix = run_gssl({"info", rectangular, "--bipartite"});
  CHECK_THAT(matrix.out, Contains("vertices\t5\n") && Contains("edges\t3\n"));
  const std::string metis = dir.file("m.graph", "2 1\n2\n1\n");
  CHECK(run_gssl({"info", metis, "--bipartite"}).status == 64);
}

TEST_CASE("a list on a pipe is converted in the memory that is allowed") {
  const TemporaryDirectory dir;
  std::string text;
  for (int i = 0; i < 200000; ++i)
    text += std::to_string(i) + "\t" + std::to_string((i * 7919) % 200000) + "\n";
  const std::string whole = (dir.path() / "whole.gssl").string();
  REQUIRE(run_gssl({"convert", dir.file("e.tsv", text), whole}).status == 0);
  const auto piped = [&](const std::string& input, const std::string& limit) {
    const std::string path = (dir.path() / "piped.gssl").string();
    const Result r = run_gssl({"convert", "-", path, "--max-memory", limit}, {.input = input});
    INFO(r.err);
    REQUIRE(r.status == 0);
    CHECK((r.err.find("sorted on disk") != std::string::npos) == (limit == "1M"));
    return read_file(path);
  };
  const std::string expected = read_file(whole);
  CHECK((piped(text, "1M") == expected));
  CHECK((piped(text, "1G") == expected));
  CHECK((piped(gzipped(text, dir.path() / "e.tsv.gz"), "1M") == expected));
}

TEST_CASE("names that do not fit are refused with the memory that would do") {
  const TemporaryDirectory dir;
  std::string text;
  for (int i = 0; i < 600000; ++i)
    text += std::to_string(i) + "\t" + std::to_string((i * 7919LL) % 600000) + "\n";
  const std::string list = dir.file("e.tsv", text);
  const std::string made = (dir.path() / "g.gssl").string();
  for (const bool piped : {false, true}) {
    const auto convert = [&](const std::string& limit) {
      return run_gssl({"convert", piped ? "-" : list, made, "--max-memory", limit},
                      {.input = piped ? text : ""});
    };
    const Result refused = convert("1M");
    INFO(refused.err);
    CHECK(refused.status == 71);
    CHECK_FALSE(std::filesystem::exists(made));
    const std::string before = "and ", behind = " would do";
    const std::size_t end = refused.err.rfind(behind);
    REQUIRE(end != std::string::npos);
    const std::size_t begin = refused.err.rfind(before, end) + before.size();
    CHECK(convert(refused.err.substr(begin, end - begin)).status == 0);
    CHECK(run_gssl({"info", made}).out.find("vertices\t600000\n") != std::string::npos);
    std::filesystem::remove(made);
  }
}

TEST_CASE("a pipe whose header may be an edge, and one that holds no list, are read whole") {
  const TemporaryDirectory dir;
  for (const std::string& text :
       {std::string("u v\nu w\nw v\n"), std::string("u v\na b\n"),
        std::string("\xEF\xBB\xBF"
                    "1 2\n"),
        std::string(),
        std::string("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n")}) {
    INFO(text.substr(0, 80));
    const std::string from_file = (dir.path() / "file.gssl").string();
    const std::string from_pipe = (dir.path() / "pipe.gssl").string();
    REQUIRE(run_gssl({"convert", dir.file("g.txt", text), from_file}).status == 0);
    REQUIRE(run_gssl({"convert", "-", from_pipe}, {.input = text}).status == 0);
    CHECK((read_file(from_pipe) == read_file(from_file)));
  }
}
