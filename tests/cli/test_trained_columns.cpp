// Columns of labels, weights and ids: gssl fit remembers them, gssl predict finds them again.

#include <string>
#include <vector>

#include "cli/run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
using Catch::Contains;

namespace {

// Ids, labels and weights in front of two features, with or without a header.
const std::string named = "who,y,w,u,v\nann,a,2,0,1\nbob,b,1,9,1\ncat,a,1,1,2\ndan,b,2,8,2\n";
const std::string bare = named.substr(named.find('\n') + 1);

std::string fitted(const TemporaryDirectory& dir, const std::string& table,
                   const std::vector<std::string>& columns) {
  const std::string model = dir.path() / "m";
  std::vector<std::string> arguments = {
      "fit", dir.file("train.csv", table), "--method", "tree:min_leaf=1", "-o", model};
  arguments.insert(arguments.end(), columns.begin(), columns.end());
  const Result made = run_gssl(arguments);
  INFO(made.err);
  REQUIRE(made.status == 0);
  return model;
}

Result predicted(const TemporaryDirectory& dir, const std::string& model, const std::string& table,
                 const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"predict", model, dir.file("new.csv", table)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_gssl(arguments);
}

const std::string answer = "node\tlabel\tconfidence\tstatus\n";
const std::string with_ids = answer + "eve\ta\t1\tinferred\nfay\tb\t1\tinferred\n";
const std::string with_numbers = answer + "0\ta\t1\tinferred\n1\tb\t1\tinferred\n";

}  // namespace

TEST_CASE("A model remembers the ids of its rows", "[columns]") {
  const TemporaryDirectory dir;
  const std::string model =
      fitted(dir, named, {"--id-column", "who", "--label-column", "y", "--weight-column", "w"});
  CHECK_THAT(run_gssl({"info", model}).out,
             Contains("id_column\twho\n") && Contains("label_column\ty\n"));
  CHECK(predicted(dir, model, "who,u,v\neve,0,1\nfay,9,1\n").out == with_ids);
  CHECK(predicted(dir, model, "u,who,v,y\n0,eve,1,a\n9,fay,1,b\n").out == with_ids);
  CHECK(predicted(dir, model, "u,v\n0,1\n9,1\n").out == with_numbers);
  CHECK(predicted(dir, model, "name,u,v\neve,0,1\nfay,9,1\n", {"--id-column", "name"}).out ==
        with_ids);
}

TEST_CASE("Columns told by number are remembered by name where there is a header", "[columns]") {
  const TemporaryDirectory dir;
  const std::string model =
      fitted(dir, named, {"--id-column", "1", "--label-column", "2", "--weight-column", "3"});
  CHECK_THAT(run_gssl({"info", model}).out, Contains("id_column\twho\n") &&
                                                Contains("label_column\ty\n") &&
                                                Contains("weight_column\tw\n"));
  CHECK(predicted(dir, model, "w,v,who,u\n3,1,eve,0\n3,1,fay,9\n").out == with_ids);
}

TEST_CASE("Without a header the number of columns says which are missing", "[columns]") {
  const TemporaryDirectory dir;
  const std::string model =
      fitted(dir, bare, {"--id-column", "1", "--label-column", "2", "--weight-column", "3"});
  CHECK_THAT(run_gssl({"info", model}).out, Contains("id_column\t1\n"));
  const Result all = predicted(dir, model, "eve,a,7,0,1\nfay,b,7,9,1\n");
  CHECK(all.out == with_ids);
  CHECK_THAT(all.err, Contains("accuracy 100.00%"));
  const Result unlabeled = predicted(dir, model, "eve,7,0,1\nfay,7,9,1\n");
  CHECK(unlabeled.out == with_ids);
  CHECK_THAT(unlabeled.err, Contains("4 columns, 5 in training: taken to lack its labels"));
  const Result ids = predicted(dir, model, "eve,0,1\nfay,9,1\n");
  CHECK(ids.out == with_ids);
  CHECK_THAT(ids.err, Contains("taken to lack its labels and weights"));
  CHECK(predicted(dir, model, "0,1\n9,1\n").out == with_numbers);
  // Labels and features alone: the command line tells what the count cannot.
  CHECK(predicted(dir, model, "a,0,1\nb,9,1\n", {"--label-column", "1"}).out == with_numbers);
  CHECK(predicted(dir, model, "0\n9\n").status == 65);
}

TEST_CASE("Labels and weights told by number, in any place", "[columns]") {
  const TemporaryDirectory dir;
  const std::string model = fitted(dir, "0,2,1,a\n9,1,1,b\n1,1,2,a\n8,2,2,b\n",
                                   {"--label-column", "4", "--weight-column", "2"});
  for (const std::string table : {"0,5,1,a\n9,5,1,b\n", "0,5,1\n9,5,1\n", "0,1\n9,1\n"}) {
    INFO(table);
    CHECK(predicted(dir, model, table).out == with_numbers);
  }
}

TEST_CASE("Two columns of one name are said at once", "[columns]") {
  const TemporaryDirectory dir;
  const std::string model = dir.path() / "m";
  const Result made = run_gssl({"fit", dir.file("t.csv", "u,u,y\n0,1,a\n9,1,b\n1,2,a\n8,2,b\n"),
                                "--label-column", "y", "--method", "tree:min_leaf=1", "-o", model});
  CHECK(made.status == 0);
  CHECK_THAT(made.err, Contains("two columns are named 'u'"));
  CHECK(predicted(dir, model, "u,u\n0,1\n9,1\n").out == with_numbers);
}
