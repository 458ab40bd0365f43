#include <limits>

#include "gssl/core/option_binding.hpp"
#include "gssl/data/record.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

enum class Color { red, green };

struct PaintOptions {
  double amount = 0.5;
  int coats = 2;
  std::int64_t drops = 7;
  bool gloss = false;
  Color color = Color::green;
  std::string note = {};
};

const OptionBinding<PaintOptions>& paint() {
  static const auto binding =
      OptionBinding<PaintOptions>("paint")
          .real(&PaintOptions::amount, "amount", {.low = 0.0, .high = 1.0}, "liters")
          .integer(&PaintOptions::coats, "coats", {.low = 1}, "how often")
          .integer(&PaintOptions::drops, "drops", {}, "lost")
          .flag(&PaintOptions::gloss, "gloss", "shines")
          .choice(&PaintOptions::color, "color", {{Color::red, "red"}, {Color::green, "green"}},
                  "which")
          .text(&PaintOptions::note, "note", "to the painter");
  return binding;
}

std::string message_of(const auto& call) {
  const auto error = error_of(call);
  return error ? error->what() : "";
}

}  // namespace

TEST_CASE("a record gives back what was put, bit for bit", "[data]") {
  Record record;
  record.put("pi", 0.1 + 0.2);
  record.put("zero", -0.0);
  record.put("many", std::int64_t{1} << 40);
  record.put("name", "a b");
  record.put("names", std::vector<std::string>{"", "x", "yz"});
  record.put("floats", std::vector<float>{1.5F});
  record.put("block", Block(2, 3, 4.0));
  CHECK(record.real("pi") == 0.1 + 0.2);
  CHECK(std::signbit(record.real("zero")));
  CHECK(record.integer("many") == std::int64_t{1} << 40);
  CHECK(record.text("name") == "a b");
  CHECK(record.texts("names") == std::vector<std::string>{"", "x", "yz"});
  CHECK(record.floats("floats") == std::vector<float>{1.5F});
  CHECK(record.block("block") == Block(2, 3, 4.0));
}

TEST_CASE("points in a record keep their storage and precision", "[data]") {
  const Points dense = Points::dense(2, 2, std::vector<float>{1, 0, 0, 4});
  Record record;
  record.put("dense", dense);
  record.put("sparse", as_sparse(dense));
  CHECK(record.points("dense").is_float());
  CHECK_FALSE(record.points("dense").is_sparse());
  CHECK(record.points("sparse").is_sparse());
  CHECK(record.points("sparse").value(1, 1) == 4.0);
}

TEST_CASE("a child of a record is a record of its own", "[data]") {
  Record child;
  child.put("depth", 3.0);
  Record record;
  record.put("tree/1", child);
  record.put("tree/10", child);
  CHECK(record.child("tree/1").entries().size() == 1);
  CHECK(record.child("tree").child("10").real("depth") == 3.0);
  CHECK_THAT(message_of([&] { record.child("tree/2"); }), Catch::Contains("tree/2: is missing"));
}

TEST_CASE("what is taken from a record is moved, not copied", "[data]") {
  Record child;
  child.put("block", Block(2, 3, 4.0));
  Record record;
  record.put("part", child);
  record.put("pi", 3.0);
  const double* const values = record.reals("part/block/values").data();
  Record part = record.take_child("part");
  CHECK(part.reals("block/values").data() == values);
  CHECK(record.real("pi") == 3.0);
  const Block block = part.take_block("block");
  CHECK(block == Block(2, 3, 4.0));
  CHECK(block.data() == values);
  CHECK_THAT(message_of([&] { record.take_child("tree"); }), Catch::Contains("tree: is missing"));
  CHECK_THAT(message_of([&] { record.take_block("pi"); }), Catch::Contains("pi/shape: is missing"));
}

TEST_CASE("what a record does not hold, or holds otherwise, is bad data by name", "[data]") {
  Record record;
  record.put("list", std::vector<double>{1, 2});
  record.put("shape/shape", std::vector<std::int64_t>{2, 2});
  record.put("shape/values", std::vector<double>{1});
  record.put("texts/text", "abc");
  record.put("texts/ends", std::vector<std::int64_t>{4});
  CHECK_THAT(message_of([&] { record.real("none"); }), Catch::Contains("none: is missing"));
  CHECK_THAT(message_of([&] { record.real("list"); }), Catch::Contains("2 numbers where 1"));
  CHECK_THAT(message_of([&] { record.text("list"); }), Catch::Contains("list: is not text"));
  CHECK_THAT(message_of([&] { record.reals("list", 3); }), Catch::Contains("2 numbers where 3"));
  CHECK(error_of([&] { record.block("shape"); }).has_value());
  CHECK_THAT(message_of([&] { record.texts("texts"); }), Catch::Contains("out of order"));
  CHECK(error_of([&] { record.put("list", 1.0); })->code() == ErrorCode::internal);
}

TEST_CASE("an option that is written once is parsed, checked and echoed", "[options]") {
  const PaintOptions parsed = paint().parse("coats=3,color=red,gloss,note=mind the (cat, dog)");
  CHECK(parsed.coats == 3);
  CHECK(parsed.color == Color::red);
  CHECK(parsed.gloss);
  CHECK(parsed.note == "mind the (cat, dog)");
  CHECK(parsed.amount == 0.5);
  CHECK(paint().echo(PaintOptions{}) == "amount=0.5,coats=2,drops=7,gloss=false,color=green,note=");
  CHECK(paint().parse(paint().echo(parsed)).note == parsed.note);
  CHECK(paint().table().specs().size() == 6);
}

TEST_CASE("a struct that a program filled in is held to the ranges of the table", "[options]") {
  paint().validate(PaintOptions{});
  CHECK_THAT(message_of([] { paint().validate({.amount = 2.0}); }),
             Catch::Contains("paint: option amount=2: must be a number in [0, 1]"));
  CHECK_THAT(message_of([] { paint().validate({.amount = NAN}); }), Catch::Contains("amount=nan"));
  CHECK_THAT(message_of([] { paint().validate({.coats = 0}); }), Catch::Contains("coats=0"));
  CHECK_THAT(message_of([] { paint().validate({.color = static_cast<Color>(9)}); }),
             Catch::Contains("color=an unknown value"));
  CHECK_THAT(message_of([] { paint().parse("coats=3000000000"); }), Catch::Contains("coats="));
}
