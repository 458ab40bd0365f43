// What counts as a label: marks of none, arrays, files that gssl label wrote, unknown vertices.

#include <algorithm>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
using namespace std::string_literals;

namespace {

std::int64_t rows_with(const std::string& text, const std::string& end) {
  std::int64_t count = 0;
  for (std::size_t at = text.find(end); at != std::string::npos; at = text.find(end, at + 1))
    ++count;
  return count;
}

// Two groups on a line, a label in each, `mark` in all other rows.
std::string marked(const std::string& mark) {
  return "x,class\n0,0\n1," + mark + "\n2," + mark + "\n10,2\n11," + mark + "\n12,3\n";
}

}  // namespace

TEST_CASE("rows whose class says that there is none are labeled, not taken for a class") {
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "s.json").string();
  for (const char* mark : {"NA", "?", "", "-1", "nan"}) {
    const Result r = run_gssl({"label", "--points", dir.file("p", marked(mark)), "--label-column",
                               "class", "--knn", "1", "--mst", "--summary", summary});
    INFO(r.err);
    REQUIRE(r.status == 0);
    const auto json = read_json(summary);
    CHECK(json["classes"] == 3);
    CHECK(json["given"] == 3);
    CHECK(json["labels_missing"] == 3);
    CHECK(json["labels_missing_marks"][0] == mark);
    const bool warned = json["warnings"].dump().find("-1 is taken so") != std::string::npos;
    CHECK(warned == (mark == "-1"s));
    CHECK(rows_with(r.out, "given\n") == 3);
    const std::string labels = (dir.path() / "l").string();
    REQUIRE(run_gssl({"build", dir.file("p", marked(mark)), "--label-column", "class", "--mst",
                      "--labels-out", labels, "-o", (dir.path() / "g").string()})
                .status == 0);
    CHECK(read_file(labels) == "node\tlabel\n0\t0\n3\t2\n5\t3\n");
  }
  const Result none = run_gssl({"label", "--points", dir.file("p", marked("NA")), "--label-column",
                                "class", "--mst", "--missing", "none"});
  CHECK(rows_with(none.out, "\tNA\t1\tgiven\n") == 3);
  const Result other = run_gssl({"label", "--points", dir.file("p", marked("dunno")),
                                 "--label-column", "class", "--mst", "--missing", "default,dunno"});
  CHECK(rows_with(other.out, "given\n") == 3);
}

TEST_CASE("Minus one is a class beside +1, and a target of a regression") {
  const TemporaryDirectory dir;
  const std::string points = dir.file("p", "x,c\n0,-1\n1,\n2,1\n3,-1\n");
  const Result two = run_gssl({"label", "--points", points, "--label-column", "c", "--mst"});
  CHECK(two.status == 0);
  CHECK(rows_with(two.out, "\t-1\t1\tgiven\n") == 2);
  const std::string graph = dir.file("g", "a b\nb c\nc d\n");
  const std::string values = dir.file("l", "a -1\nc 0\nd 1\n");
  const Result real = run_gssl({"label", graph, values, "--regression"});
  CHECK(rows_with(real.out, "given\n") == 3);
  CHECK(real.err.find("uncertain") == std::string::npos);
  CHECK(rows_with(run_gssl({"label", graph, values}).out, "given\n") == 2);
  // Where the labels have a class -1, the truth has it, too.
  const std::string summary = (dir.path() / "s.json").string();
  REQUIRE(run_gssl({"label", graph, dir.file("m", "a -1\nd 1\n"), "--truth",
                    dir.file("t", "b -1\nc 0\nd 1\n"), "--summary", summary})
              .status == 0);
  CHECK(read_json(summary)["measured"] == 2);
}

TEST_CASE("a class that holds nearly all labels is warned of") {
  const TemporaryDirectory dir;
  std::string edges, labels;
  for (int i = 0; i < 30; ++i) {
    edges += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
    if (i < 28) labels += std::to_string(i) + (i == 0 ? " a\n" : " unlabeled\n");
  }
  const std::string summary = (dir.path() / "s.json").string();
  const std::string graph = dir.file("g", edges), file = dir.file("l", labels);
  REQUIRE(run_gssl({"label", graph, file, "--summary", summary}).status == 0);
  CHECK(read_json(summary)["warnings"].dump().find("class 'unlabeled' holds 27 of 28") !=
        std::string::npos);
  REQUIRE(run_gssl({"label", graph, file, "--missing", "unlabeled", "--summary", summary}).status ==
          0);
  CHECK(read_json(summary)["warnings"].dump().find("holds") == std::string::npos);
  CHECK(read_json(summary)["labels_missing"] == 27);
}

TEST_CASE("what gssl label wrote serves as labels, as truth and as clusters to compare with") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b 1\nb c 1\nc d 1\nd e 5\nx y 1\n");
  const std::string labels = dir.file("l", "a one\ne two\n");
  const std::string summary = (dir.path() / "s.json").string();
  for (const char* format : {"tsv", "csv", "jsonl"}) {
    INFO(format);
    const std::string out = (dir.path() / "out").string();
    REQUIRE(run_gssl({"label", graph, labels, "--format", format, "-o", out}).status == 0);
    REQUIRE(run_gssl({"label", graph, labels, "--truth", out, "--summary", summary}).status == 0);
    const auto json = read_json(summary);
    CHECK(json["measured"] == 3);
    CHECK(json["accuracy"] == 1.0);
    CHECK(json["truth_undecided"] == 2);  // x and y are unreached
    const Result again = run_gssl({"label", graph, out, "--summary", summary});
    REQUIRE(again.status == 0);
    CHECK(read_json(summary)["given"] == 5);
    CHECK(read_json(summary)["labels_undecided"] == 2);
    CHECK(rows_with(again.out, "unreached\n") == 2);
    CHECK(run_gssl({"cluster", graph, "-k", "2", "--truth", out, "--summary", summary}).status ==
          0);
    CHECK(read_json(summary)["truth_measured"] == 5);
    CHECK(run_gssl({"explain", graph, out, "--node", "b"}).status == 0);
    CHECK(run_gssl({"ask", graph, out, "-n", "1"}).status == 0);
  }
}

TEST_CASE("labels and truth may be arrays") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "0 1 1\n1 2 1\n2 3 9\n");
  const std::string labels = dir.file("l", "\0\0\x09\1\0\0\0\4\7\xFF\xFF\x08"s);  // 7, −1, −1, 8
  const std::string truth = dir.file("t", "\0\0\x08\1\0\0\0\4\7\7\x08\x08"s);
  const std::string summary = (dir.path() / "s.json").string();
  const Result r = run_gssl({"label", graph, labels, "--truth", truth, "--summary", summary});
  INFO(r.err);
  REQUIRE(r.status == 0);
  CHECK(r.out.starts_with("node\tlabel\tconfidence\tstatus\n0\t7\t1\tgiven\n"));
  CHECK(read_json(summary)["given"] == 2);
  CHECK(read_json(summary)["measured"] == 2);
  CHECK(read_json(summary)["accuracy"] == 1.0);
  const std::string points = dir.file("p", "name,x\nann,0\nbob,1\ncy,9\ndan,10\n");
  const Result rows = run_gssl(
      {"label", "--points", points, "--id-column", "name", "--mst", labels, "--truth", truth});
  REQUIRE(rows.status == 0);
  CHECK(rows.out.find("dan\t8\t1\tgiven\n") != std::string::npos);
  const Result few = run_gssl({"label", "--points", points, "--id-column", "name", "--mst",
                               dir.file("u", "\0\0\x09\1\0\0\0\1\7"s)});
  CHECK(few.status == 65);
  CHECK(few.err.find("1 labels; expected one for each of the 4 points") != std::string::npos);
}

TEST_CASE("all unknown vertices of a label file are counted, the first ten by their ids") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b\nb c\n");
  std::string text = "a x\nc y\n";
  for (int i = 0; i < 12; ++i) text += "u" + std::to_string(i) + " x\n";
  const std::string labels = dir.file("l", text);
  const Result refused = run_gssl({"label", graph, labels});
  CHECK(refused.status == 65);
  CHECK(refused.err.find("l:3: vertex u0 is not in the graph; of 14 labels 12 are on no vertex") !=
        std::string::npos);
  CHECK(refused.err.find("u9 (line 12)") != std::string::npos);
  CHECK(refused.err.find("u10 (line 13)") == std::string::npos);
  for (const char* policy : {"ignore", "add"}) {
    const Result r = run_gssl({"label", graph, labels, "--unknown-labels", policy});
    CHECK(r.status == 0);
    CHECK(r.err.find("u9 (line 12)") != std::string::npos);
  }
}

TEST_CASE("a target that is no number is named by file, line and the id of its vertex") {
  const TemporaryDirectory dir;
  const Result lines = run_gssl({"label", dir.file("g", "ann bob\n"),
                                 dir.file("l", "# t\nann 1\nbob high\n"), "--regression"});
  CHECK(lines.status == 65);
  CHECK(lines.err.find("l:3: vertex bob: target high") != std::string::npos);
  const Result rows =
      run_gssl({"label", "--points", dir.file("p", "# t\nid,x,c\nann,1,2\nbob,2,u\n"),
                "--id-column", "id", "--label-column", "c", "--mst", "--regression"});
  CHECK(rows.status == 65);
  CHECK(rows.err.find("p: vertex bob: target u") != std::string::npos);
}

TEST_CASE("two columns of a table are labels by --label-columns") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "id_1,id_2\n1,2\n2,3\n3,4\n");
  const std::string pages = dir.file("p", "id,page,type\n1,\"a, b\",x\n4,c,y\n2,d,x\n");
  const Result told =
      run_gssl({"label", graph, pages, "--label-columns", "1,3", "--truth", pages, "--quiet"});
  REQUIRE(told.status == 0);
  CHECK(told.out.find("2\tx\t1\tgiven") != std::string::npos);
  CHECK(told.out.find("4\ty\t1\tgiven") != std::string::npos);
  const Result untold = run_gssl({"label", graph, pages});
  CHECK(untold.status == 65);
  CHECK(untold.err.find("p:1: 3 fields") != std::string::npos);
  CHECK(untold.err.find("(--label-columns)") != std::string::npos);
  for (const char* columns : {"1", "1,1", "1,2,3", "0,1"}) {
    const Result bad = run_gssl({"label", graph, pages, "--label-columns", columns});
    CHECK(bad.status == 64);
    CHECK(bad.err.starts_with("gssl label: --label-columns"));  // nothing was read
  }
  const Result narrow = run_gssl({"label", graph, pages, "--label-columns", "1,9"});
  CHECK(narrow.status == 65);
  CHECK(narrow.err.find("expected at least 9, for the columns that are told") != std::string::npos);
  const std::string written = dir.file("w", told.out);
  const Result known = run_gssl({"label", graph, written, "--label-columns", "1,2"});
  CHECK(known.status == 64);
  CHECK(known.err.find("w: says itself where its labels are") != std::string::npos);
  const Result header = run_gssl({"label", graph, dir.file("t", "txId class\n1 x\n4 y\n")});
  CHECK(header.status == 0);
  CHECK(header.err.find("t: line 1 is taken for a header, since 'txId'") != std::string::npos);
}

TEST_CASE("GRAPH and LABELS the wrong way round are told so") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b\nb c\nc d\n"), labels = dir.file("l", "a x\nd y\n");
  const std::string weighted = dir.file("w", "a b 1\nb c 2\nc d 1\n");
  for (const std::string& given : {graph, weighted}) {
    const Result r = run_gssl({"label", labels, given});
    INFO(r.err);
    CHECK(r.status == 65);
    // Each of the files is named as what it is.
    CHECK(r.err.find(given + " as GRAPH") != std::string::npos);
    CHECK(r.err.find(labels + " as LABELS") != std::string::npos);
  }
  const Result other = run_gssl({"label", graph, dir.file("o", "a x\nz y\n")});
  CHECK(other.status == 65);
  CHECK(other.err.find("as GRAPH") == std::string::npos);
}

TEST_CASE("a class -1 beside words is warned of, and --missing makes it none") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b\nb c\nc d\n");
  const auto warned = [&](const std::string& labels, const std::string& missing) {
    const Result r = run_gssl({"label", graph, dir.file("l", labels), "--missing", missing});
    CHECK(r.status == 0);
    return r.err.find("default,-1") != std::string::npos;
  };
  CHECK(warned("a x\nd y\nb -1\n", "default"));
  CHECK_FALSE(warned("a x\nd y\nb -1\n", "default,-1"));
  CHECK_FALSE(warned("a 1\nd -1\n", "default"));
  CHECK_FALSE(warned("a x\nd y\n", "default"));
}

TEST_CASE("a graph of another program given as LABELS or points is named by its format") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b\n");
  for (const auto& [file, name] :
       std::vector<std::pair<std::string, std::string>>{{"igraph.gml", "GML"},
                                                        {"igraph.net", "Pajek"},
                                                        {"igraph.max", "DIMACS"},
                                                        {"igraph.dot", "DOT"},
                                                        {"graphviz.dot", "DOT"},
                                                        {"igraph.graphml", "GraphML"},
                                                        {"networkx.gexf", "GEXF"}}) {
    const std::string path = "tests/foreign/" + file;
    for (const std::vector<std::string>& line : std::vector<std::vector<std::string>>{
             {"label", graph, path}, {"build", path, "--knn", "2"}}) {
      const Result r = run_gssl(line);
      INFO(file << ": " << r.err);
      CHECK(r.status == 65);
      CHECK(r.err.find(name) != std::string::npos);
      CHECK(r.err.find("GRAPH") != std::string::npos);
    }
  }
}
