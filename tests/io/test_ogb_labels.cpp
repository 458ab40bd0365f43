// Labels of a folder of the Open Graph Benchmark, by its splits.

#include <filesystem>
#include <fstream>

#include "gssl/io/label_reader.hpp"
#include "io_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

namespace {

// "vertex=label …" in the order of the file.
std::string labels_of(const std::string& path, LabelPart part) {
  VertexNames names = VertexNames::numbered(5);
  const LabelFile file = read_labels(path, names, {.part = part});
  std::string text;
  for (std::size_t i = 0; i < file.vertices.size(); ++i)
    text += (i == 0 ? "" : " ") + names.name(file.vertices[i]) + "=" + file.labels[i];
  return text + (file.missing.total > 0 ? " missing " + std::to_string(file.missing.total) : "");
}

class Folder {
 public:
  void file(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::string path() const { return folder_.path().string(); }

 private:
  TemporaryDirectory folder_;
};

}  // namespace

TEST_CASE("Training labels of a folder are given, those of the test are the truth",
          "[formats][ogb]") {
  const std::string ogb = source_path("tests/foreign/ogb").string();
  CHECK(labels_of(ogb, LabelPart::train) == "0=0 1=1");
  CHECK(labels_of(ogb, LabelPart::test) == "4=0");
  CHECK(labels_of(ogb, LabelPart::all) == "0=0 1=1 3=1 4=0 missing 1");
  CHECK(labels_of(ogb + ":random", LabelPart::train) == "0=0 1=1");
}

TEST_CASE("Of several splits one is named", "[formats][ogb]") {
  const Folder folder;
  folder.file("raw/node-label.csv", "a\nb\n\nnan\na\n");
  folder.file("split/time/train.csv", "4\n0\n");
  folder.file("split/time/test.csv", "1\n2\n3\n");
  folder.file("split/random/train.csv.gz", gzip("1\n"));
  CHECK(labels_of(folder.path() + ":time", LabelPart::train) == "4=a 0=a");
  CHECK(labels_of(folder.path() + ":time", LabelPart::test) == "1=b missing 2");
  CHECK(labels_of(folder.path() + ":random", LabelPart::train) == "1=b");
  const auto error = [&](const std::string& suffix, LabelPart part) {
    return error_of([&] { labels_of(folder.path() + suffix, part); });
  };
  CHECK(error("", LabelPart::train)->code() == ErrorCode::usage);
  CHECK_THAT(error("", LabelPart::train)->what(), Contains("random, time"));
  CHECK_THAT(error(":year", LabelPart::train)->what(), Contains("no split 'year'"));
  CHECK_THAT(error(":random", LabelPart::test)->what(), Contains("test.pt"));
}

TEST_CASE("Folders whose lists are wrong are refused", "[formats][ogb]") {
  const Folder folder;
  const auto error = [&] { return error_of([&] { labels_of(folder.path(), LabelPart::train); }); };
  CHECK(error()->code() == ErrorCode::cannot_open);
  folder.file("raw/node-label.csv", "a\nb\n");
  CHECK_THAT(error()->what(), Contains("no folder split/NAME"));
  folder.file("split/x/train.csv", "0\n2\n");
  CHECK_THAT(error()->what(), Contains("train.csv:2: '2'; expected a vertex from 0 to 1"));
  folder.file("split/x/train.csv", "0\n-1\n");
  CHECK_THAT(error()->what(), Contains("train.csv:2"));
  folder.file("raw/node-label.csv", "0,1\n1,1\n");
  CHECK_THAT(error()->what(), Contains("several columns"));
  CHECK(error()->code() == ErrorCode::bad_data);
}
