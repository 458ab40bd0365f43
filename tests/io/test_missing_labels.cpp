#include "gssl/io/label_reader.hpp"
#include "gssl/io/missing_labels.hpp"
#include "io_support.hpp"
#include "label_format.hpp"
#include "points_formats.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

using Words = std::vector<std::string>;

namespace {

Words kept(Words labels, const MissingMarks& marks = {}) {
  blank_missing(labels, marks);
  return labels;
}

}  // namespace

TEST_CASE("The usual words for a gap are no labels, and classes that resemble them are") {
  CHECK(kept({"NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "?", "", "<NA>", "#N/A"}) ==
        Words(11, ""));
  const Words classes = {"na", "None", "none", "0", "unknown", "??", "Na", "NAN", "-"};
  CHECK(kept(classes) == classes);
}

TEST_CASE("Minus one is no label beside two classes numbered from 0 or 1, and a class otherwise") {
  CHECK(kept({"0", "-1", "1", "-1"}) == Words{"0", "", "1", ""});
  CHECK(kept({"1", "2", "-1"}) == Words{"1", "2", ""});
  CHECK(kept({"0.0", "3.0", "-1.0", "NA"}) == Words{"0.0", "3.0", "", ""});
  for (const Words& classes :
       {Words{"-1", "1"}, Words{"-1", "+1", "-1"}, Words{"-1", "0"}, Words{"-1", "-2", "0", "1"},
        Words{"-1", "0.5", "1"}, Words{"-1", "+1", "2"}, Words{"-1", "a", "0", "1"}, Words{"-1"},
        Words{"-1", "1", "01"}}) {
    INFO(classes.back());
    CHECK(kept(classes) == classes);
  }
}

TEST_CASE("What is left out is counted by how it was written") {
  Words labels = {"?", "a", "", "NA", "?", "b"};
  const MissingCount count = blank_missing(labels, {});
  CHECK(count.total == 4);
  CHECK(count.words() == 3);
  CHECK(count.marks ==
        std::vector<std::pair<std::string, std::int64_t>>{{"?", 2}, {"", 1}, {"NA", 1}});
  CHECK_FALSE(count.minus_one_by_rule);
  labels = {"-1", "0", "1"};
  CHECK(blank_missing(labels, {}).minus_one_by_rule);
}

TEST_CASE("Words of one's own take the place of the usual ones, or stand beside them") {
  CHECK(kept({"?", "none", "-1", "0", "1", ""}, parse_missing_marks("none")) ==
        Words{"?", "none", "-1", "0", "1", ""});
  CHECK(kept({"?", "unknown"}, parse_missing_marks("unknown")) == Words{"?", ""});
  CHECK(kept({"?", "unknown", "-1", "0", "1"}, parse_missing_marks("default,unknown")) ==
        Words{"", "", "", "0", "1"});
  CHECK(kept({"-1", "1"}, parse_missing_marks("-1")) == Words{"", "1"});
  CHECK(kept({"?", "a"}, parse_missing_marks("default")) == Words{"", "a"});
}

TEST_CASE("Rows of points with a mark have no label, and label files leave such lines out") {
  const PointsFile points =
      detail::parse_points(detail::TextSource::from_memory("x,c\n1,a\n2,NA\n3,\n4,?\n5,b\n", "p"),
                           "", {.label_column = "c"}, RunContext{});
  CHECK(points.labels == Words{"a", "", "", "", "b"});
  CHECK(points.missing.total == 3);
  VertexNames names = VertexNames::numbered(6);
  const LabelFile labels = detail::parse_labels(
      detail::TextSource::from_memory("0 2\n1 -1\n2 0\n3 nan\n4 \"\"\n5 2\n", "l"), "", names, {});
  CHECK(labels.vertices == std::vector<VertexId>{0, 2, 5});
  CHECK(labels.labels == Words{"2", "0", "2"});
  CHECK(labels.line_of == std::vector<std::int64_t>{1, 3, 6});
  CHECK(labels.missing.total == 3);
}
