// Tables with words and gaps.

#include "gssl/io/feature_reader.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

namespace {

FeaturesFile read(const std::string& text, const FeatureReadOptions& options = {}) {
  const TemporaryDirectory directory;
  return read_features(directory.file("t.csv", text), options);
}

std::string message(const std::string& text, const FeatureReadOptions& options = {}) {
  const auto error = error_of([&] { read(text, options); });
  if (!error) return {};
  CHECK(error->code() == ErrorCode::bad_data);
  return error->what();
}

const std::string people =
    "name,age,eyes,class\n"
    "ann,31,blue,a\n"
    "bob,,brown,b\n"
    "cid,27,?,a\n"
    "dan,40,\"light, blue\",b\n";

FeatureReadOptions of_people() {
  FeatureReadOptions options;
  options.points.label_column = "class";
  options.points.id_column = "1";
  return options;
}

}  // namespace

TEST_CASE("Columns of numbers and words are told apart, gaps are kept", "[features]") {
  const FeaturesFile file = read(people, of_people());
  REQUIRE(file.table.columns.size() == 2);
  CHECK(file.table.names == std::vector<std::string>{"age", "eyes"});
  CHECK(file.file_columns == std::vector<std::int64_t>{2, 3});
  CHECK_FALSE(file.table.columns[0].of_words);
  CHECK(file.table.columns[0].numbers[0] == 31.0);
  CHECK(std::isnan(file.table.columns[0].numbers[1]));
  CHECK(file.table.columns[1].words == std::vector<std::string>{"blue", "brown", "light, blue"});
  CHECK(file.table.columns[1].word_of == std::vector<std::int32_t>{0, 1, -1, 2});
  CHECK(file.labels == std::vector<std::string>{"a", "b", "a", "b"});
  CHECK(file.names.name(3) == "dan");
  CHECK(file.missing_cells == 2);
  CHECK_FALSE(file.header_assumed);
  CHECK(file.table.from_text);
  CHECK(file.table.row_count() == 4);
  CHECK(find_column(file, "eyes") == 1);
  CHECK(find_column(file, "2") == 0);
  CHECK(find_column(file, "class") == -1);
}

TEST_CASE("A table of numbers alone is points, however it is read", "[features]") {
  const std::string numbers = "x,y\n1,2\n3,4.5\n";
  const FeaturesFile plain = read(numbers);
  CHECK(plain.table.columns.empty());
  CHECK(plain.table.points.value(1, 1) == 4.5);
  CHECK(plain.table.names == std::vector<std::string>{"x", "y"});
  FeatureReadOptions told;
  told.word_columns = {"no such"};  // takes the way of cells
  const FeaturesFile cells = read(numbers, told);
  CHECK(cells.table.columns.empty());
  CHECK(cells.table.points.value(1, 1) == 4.5);
  CHECK(cells.file_columns == plain.file_columns);
}

TEST_CASE("A column of numbers is of words if it is told so", "[features]") {
  FeatureReadOptions options;
  options.word_columns = {"2"};
  const FeaturesFile file = read("1,10\n2,9\n3,10\n", options);
  REQUIRE(file.table.columns.size() == 2);
  CHECK(file.table.columns[1].words == std::vector<std::string>{"10", "9"});
  CHECK(file.table.columns[0].numbers == std::vector<double>{1, 2, 3});
}

TEST_CASE("A header of words above words is said to be assumed", "[features]") {
  CHECK(read("cap,gill\nx,y\nz,y\n").header_assumed);
  FeatureReadOptions no;
  no.points.header = TableHeader::no;
  const FeaturesFile file = read("cap,gill\nx,y\nz,y\n", no);
  CHECK_FALSE(file.header_assumed);
  CHECK(file.table.row_count() == 3);
}

TEST_CASE("A slip of the pen among numbers is an error that names the line", "[features]") {
  CHECK_THAT(message("x,y\n1,a\n2\n"), Contains(":3: 1 field"));
  CHECK_THAT(message("x,y\n1,2\n2,oops\n3,4\n"),
             Contains(":3: column 2 (y) is oops where 2 others are finite numbers"));
  CHECK_THAT(message("x,y\n1,2\n2,inf\n3,4\n"), Contains(":3: column 2 (y) is inf"));
  CHECK_THAT(message("id,class\na,b\n", of_people()), Contains("no column beside labels"));
  CHECK(message("").empty());
}

TEST_CASE("The column of labels need not be there if it is optional", "[features]") {
  FeatureReadOptions options = of_people();
  options.points.label_optional = true;
  const FeaturesFile file = read("name,age,eyes\nann,,blue\nbob,3,brown\n", options);
  CHECK(file.labels.empty());
  CHECK(file.table.names == std::vector<std::string>{"age", "eyes"});
  CHECK(read(people, options).labels.size() == 4);
}

TEST_CASE("libsvm rows are by index and have no gaps", "[features]") {
  const FeaturesFile file = read("+1 1:2 7:1\n-1 3:1\n");
  CHECK(file.table.by_index);
  CHECK_FALSE(file.table.from_text);
  CHECK(file.table.column_count() == 7);
  CHECK(file.labels == std::vector<std::string>{"+1", "-1"});
}

TEST_CASE("The cells are the same at any number of threads", "[features]") {
  std::string text = "a,b\n";
  for (int i = 0; i < 60000; ++i)
    text += std::to_string(i % 97) + ",word" + std::to_string(i % 13) + (i % 5 ? "\n" : " \n");
  const TemporaryDirectory directory;
  const std::string path = directory.file("t.csv", text);
  RunContext one;
  one.threads = 1;
  RunContext four;
  four.threads = 4;
  const FeatureTable a = read_features(path, {}, one).table;
  const FeatureTable b = read_features(path, {}, four).table;
  CHECK(a.columns[0].numbers == b.columns[0].numbers);
  CHECK(a.columns[1].word_of == b.columns[1].word_of);
  CHECK(a.columns[1].words.size() == 13);
}
