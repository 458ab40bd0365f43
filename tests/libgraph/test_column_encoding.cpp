// Tables of numbers, words and gaps as the numbers that learners take.

#include "gssl/data/column_encoding.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

const double gap = std::nan("");

FeatureColumn numbers(std::vector<double> values) { return {.numbers = std::move(values)}; }
FeatureColumn words(std::vector<std::string> known, std::vector<std::int32_t> word_of) {
  return {.of_words = true, .words = std::move(known), .word_of = std::move(word_of)};
}

//  age   eyes
//  31    blue
//   –    brown
//  27    –
//  40    blue
FeatureTable people() {
  return {.names = {"age", "eyes"},
          .columns = {numbers({31, gap, 27, 40}), words({"blue", "brown"}, {0, 1, -1, 0})},
          .from_text = true};
}

std::vector<double> row(const Points& points, VertexId r) {
  std::vector<double> values;
  for (std::int64_t c = 0; c < points.columns(); ++c) values.push_back(points.value(r, c));
  return values;
}

FeatureTable dense(std::int64_t rows, std::int64_t columns, std::vector<double> values) {
  FeatureTable table;
  table.points = Points::dense(rows, columns, std::move(values));
  return table;
}

std::string refusal(const ColumnEncoding& encoding, const FeatureTable& table) {
  const auto error = error_of([&] { encoding.encode(table); });
  if (!error) return {};
  CHECK(error->code() == ErrorCode::bad_data);
  return error->what();
}

ColumnEncoding through_record(const ColumnEncoding& encoding) {
  Record record;
  encoding.save(record);
  return ColumnEncoding::load(record);
}

}  // namespace

TEST_CASE("Gaps become medians and frequent words, and are marked", "[encoding]") {
  const auto encoding = ColumnEncoding::fit(people());
  CHECK(encoding.encoded_names() ==
        std::vector<std::string>{"age", "age missing", "eyes=blue", "eyes=brown", "eyes missing"});
  EncodingCounts counts;
  const Points x = encoding.encode(people(), &counts);
  CHECK(row(x, 0) == std::vector<double>{31, 0, 1, 0, 0});
  CHECK(row(x, 1) == std::vector<double>{31, 1, 0, 1, 0});
  CHECK(row(x, 2) == std::vector<double>{27, 0, 1, 0, 1});
  CHECK(counts.missing == 2);
  CHECK(counts.unseen == 0);
}

TEST_CASE("A word that training rows lack is 0 everywhere and counted", "[encoding]") {
  const auto encoding = ColumnEncoding::fit(people());
  FeatureTable later = {.names = {"eyes", "age"},
                        .columns = {words({"brown", "green"}, {1, 0}), numbers({1, gap})},
                        .from_text = true};
  EncodingCounts counts;
  const Points x = encoding.encode(later, &counts);
  CHECK(row(x, 0) == std::vector<double>{1, 0, 0, 0, 0});
  CHECK(row(x, 1) == std::vector<double>{31, 1, 0, 1, 0});
  CHECK(counts.unseen == 1);
  CHECK(counts.first_unseen == "column eyes: 'green'");
}

TEST_CASE("Rows of weight 0 teach nothing and weights are repetitions", "[encoding]") {
  const std::vector<double> weights = {1, 0, 0, 3};
  const auto encoding = ColumnEncoding::fit(people(), {.standardize = true}, weights);
  const std::vector<std::int32_t> repeated = {0, 3, 3, 3};
  const auto twin = ColumnEncoding::fit(select(people(), repeated), {.standardize = true});
  CHECK(encoding.encoded_names() == std::vector<std::string>{"age", "eyes=blue"});
  CHECK(row(encoding.encode(people()), 2) == row(twin.encode(people()), 2));
  CHECK(row(encoding.encode(people()), 1)[0] == Approx((40 - 37.75) / std::sqrt(15.1875)));
}

TEST_CASE("Standardized columns have mean 0 and sd 1, constant ones are 0", "[encoding]") {
  const FeatureTable table = dense(3, 3, {1, 5, 0.1, 2, 5, 0.1, 6, 5, 0.1});
  const Points x = ColumnEncoding::fit(table, {.standardize = true}).encode(table);
  CHECK(x.value(0, 0) + x.value(1, 0) + x.value(2, 0) == Approx(0).margin(1e-12));
  CHECK(x.value(2, 0) == Approx(3.0 / std::sqrt(14.0 / 3.0)));
  for (VertexId r = 0; r < 3; ++r)
    for (std::int64_t c : {1, 2}) CHECK(x.value(r, c) == Approx(0).margin(1e-12));
}

TEST_CASE("Sparse rows are scaled where they are and stay sparse", "[encoding]") {
  FeatureTable table;
  table.by_index = true;
  table.points = Points::sparse(4, 9, {0, 1, 2, 2, 3}, {2, 2, 8}, std::vector<double>{4, 2, 1});
  const auto encoding = ColumnEncoding::fit(table, {.standardize = true});
  const Points x = encoding.encode(table);
  CHECK(x.is_sparse());
  CHECK(x.doubles().size() == 3);
  CHECK(x.value(0, 2) == Approx(4 / std::sqrt(2.75)));
  FeatureTable wider;
  wider.by_index = true;
  wider.points = Points::sparse(1, 12, {0, 2}, {8, 11}, std::vector<double>{1, 5});
  EncodingCounts counts;
  const Points cut = encoding.encode(wider, &counts);
  CHECK(cut.columns() == 9);
  CHECK(counts.beyond == 1);
  wider.points = Points::sparse(1, 3, {0, 1}, {2}, std::vector<double>{4});
  CHECK(encoding.encode(wider).columns() == 9);
}

TEST_CASE("Numbers that need nothing are passed on where they are", "[encoding]") {
  const FeatureTable table = dense(2, 2, {1, 2, 3, 4});
  const auto encoding = ColumnEncoding::fit(table);
  CHECK(row(encoding.encode(table), 1) == std::vector<double>{3, 4});
  CHECK(encoding.encoded_names().empty());
  FeatureTable with_gap{.columns = {numbers({1, gap}), numbers({2, 2})}};
  CHECK_THAT(refusal(encoding, with_gap), Catch::Contains("cells are missing"));
  FeatureTable from_text = dense(3, 1, {1, 2, 9});
  from_text.from_text = true;
  const auto filled = ColumnEncoding::fit(from_text);
  CHECK(row(filled.encode({.columns = {numbers({gap})}}), 0) == std::vector<double>{2});
}

TEST_CASE("Other columns are refused by name", "[encoding]") {
  const auto encoding = ColumnEncoding::fit(people());
  const FeatureColumn one = numbers({1});
  const FeatureColumn eye = words({"blue"}, {0});
  CHECK_THAT(refusal(encoding, {.names = {"age"}, .columns = {one}}),
             Catch::Contains("no column 'eyes'"));
  CHECK_THAT(refusal(encoding, {.names = {"age", "eyes", "shoe"}, .columns = {one, eye, one}}),
             Catch::Contains("column 'shoe': the model was learned without it"));
  CHECK_THAT(refusal(encoding, {.columns = {one}}),
             Catch::Contains("1 columns: the model was learned from 2"));
  CHECK_THAT(refusal(encoding, {.names = {"age", "eyes"}, .columns = {eye, eye}}),
             Catch::Contains("column age: 'blue' in row 0"));
  CHECK(refusal(encoding, {.names = {"age", "eyes"}, .columns = {one, one}}).empty());
}

TEST_CASE("Many words make sparse rows", "[encoding]") {
  std::vector<std::string> known;
  std::vector<std::int32_t> word_of;
  for (int i = 0; i < 100; ++i) {
    known.push_back(std::to_string(1000 + i));
    word_of.push_back(i);
  }
  const FeatureTable table = {.columns = {words(known, word_of)}};
  const Points x = ColumnEncoding::fit(table).encode(table);
  CHECK(x.is_sparse());
  CHECK(x.columns() == 100);
  CHECK(x.value(42, 42) == 1.0);
  // Numbers in the place of words are the words they are written as.
  EncodingCounts counts;
  const auto numbered = dense(1, 1, {1007});
  CHECK(ColumnEncoding::fit(table).encode(numbered, &counts).value(0, 7) == 1.0);
  CHECK(counts.unseen == 0);
}

TEST_CASE("Numbers beside many words are standardized as they are beside few", "[encoding]") {
  std::vector<std::string> known;
  std::vector<std::int32_t> word_of;
  std::vector<double> far, near;
  for (int i = 0; i < 60; ++i) {
    known.push_back(std::to_string(1000 + i % 30));
    word_of.push_back(i % 30);
    far.push_back(i % 7 == 0 ? 0.0 : 5000.0 + i);  // a zero that is moved, too
    near.push_back(3.0);
  }
  known.resize(30);
  const FeatureTable table = {.names = {"word", "far", "same"},
                              .columns = {words(known, word_of), numbers(far), numbers(near)}};
  const FeatureTable alone = {.names = {"far"}, .columns = {numbers(far)}};
  const auto encoding = through_record(ColumnEncoding::fit(table, {.standardize = true}));
  const Points x = encoding.encode(table);
  const Points y = ColumnEncoding::fit(alone, {.standardize = true}).encode(alone);
  REQUIRE(x.is_sparse());
  for (VertexId r = 0; r < 60; ++r) {
    CHECK(x.value(r, 30) == y.value(r, 0));
    CHECK(x.value(r, 31) == 0.0);
    CHECK(x.value(r, word_of[static_cast<std::size_t>(r)]) == 1.0);
  }
}

TEST_CASE("An encoding comes back from its record", "[encoding]") {
  for (const bool standardize : {false, true}) {
    const auto encoding = ColumnEncoding::fit(people(), {.standardize = standardize});
    const auto back = through_record(encoding);
    for (VertexId r = 0; r < 4; ++r)
      CHECK(row(back.encode(people()), r) == row(encoding.encode(people()), r));
    CHECK(back.encoded_names() == encoding.encoded_names());
    CHECK(back.facts() == encoding.facts());
  }
  Record empty;
  CHECK(error_of([&] { ColumnEncoding::load(empty); })->code() == ErrorCode::bad_data);
}

TEST_CASE("A column is taken out of either form of a table", "[encoding]") {
  FeatureTable table = dense(2, 3, {1, 2, 3, 4, 5, 6});
  CHECK(take_numbers(table, 1) == std::vector<double>{2, 5});
  CHECK(row(table.points, 1) == std::vector<double>{4, 6});
  FeatureTable mixed = people();
  CHECK(error_of([&] { take_numbers(mixed, 0); })->code() == ErrorCode::bad_data);
  CHECK(error_of([&] { take_numbers(mixed, 1); })->code() == ErrorCode::bad_data);
  FeatureTable sparse;
  sparse.points = Points::sparse(2, 4, {0, 2, 3}, {0, 2, 3}, std::vector<double>{1, 2, 3});
  CHECK(take_numbers(sparse, 2) == std::vector<double>{2, 0});
  CHECK(sparse.points.value(1, 2) == 3.0);
}
