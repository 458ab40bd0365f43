#include <limits>
#include <unordered_map>

#include "gssl/core/rng.hpp"
#include "gssl/graph/vertex_names.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

TEST_CASE("only canonical unsigned decimals of 64 bits are integers") {
  std::uint64_t value = 0;
  for (const auto* text : {"", "007", "+1", "-1", "1.0", " 1", "1 ", "00", "x", "1e3",
                           "18446744073709551616", "99999999999999999999", "123456789012345678901"})
    CHECK_FALSE(parse_canonical_integer(text, value));
  CHECK((parse_canonical_integer("0", value) && value == 0));
  CHECK((parse_canonical_integer("9999999999999999999", value) && value == 9999999999999999999U));
  CHECK((parse_canonical_integer("18446744073709551615", value) && value == largest));
}

TEST_CASE("integers and their text are one name, and a string converts without renumbering") {
  VertexNames names;
  CHECK(names.find("5") == no_vertex);
  CHECK(names.insert("5") == 0);
  CHECK(names.insert(std::uint64_t{5}) == 0);
  CHECK(names.insert(largest) == 1);
  CHECK(names.find("05") == no_vertex);
  CHECK(names.insert("05") == 2);
  CHECK(names.insert("") == 3);
  CHECK(names.size() == 4);
  CHECK(names.find(std::uint64_t{5}) == 0);
  CHECK(names.insert(std::uint64_t{6}) == 4);
  CHECK(names.find("18446744073709551615") == 1);
  CHECK(names.find("") == 3);
  CHECK(names.name(1) == "18446744073709551615");
  CHECK(names.name(2) == "05");
  std::string out = "id ";
  names.append_name(4, out);
  CHECK(out == "id 6");
}

TEST_CASE("names equal those of a standard map") {
  for (const bool strings : {false, true}) {
    Rng rng(strings ? 1 : 2);
    VertexNames names;
    std::unordered_map<std::string, VertexId> expected;
    for (int i = 0; i < 30000; ++i) {
      std::string id = std::to_string(rng.below(20000) << (i % 2 == 0 ? 0 : 40));
      if (strings) id = std::string(rng.below(20), 'a') + id;
      const auto [entry, fresh] = expected.emplace(id, static_cast<VertexId>(expected.size()));
      REQUIRE(names.insert(id) == entry->second);
    }
    CHECK(names.size() == static_cast<VertexId>(expected.size()));
    for (const auto& [id, v] : expected) {
      REQUIRE(names.find(id) == v);
      REQUIRE(names.name(v) == id);
    }
    CHECK(names.find("absent") == no_vertex);
    CHECK(names.find(std::uint64_t{1} << 63) == no_vertex);
  }
}

TEST_CASE("numbered names hold nothing until a new name converts them") {
  VertexNames names = VertexNames::numbered(1000, 1);
  CHECK(names.memory_bytes() == 0);
  CHECK(names.find("1") == 0);
  CHECK(names.find("1000") == 999);
  CHECK(names.find("0") == no_vertex);
  CHECK(names.find("1001") == no_vertex);
  CHECK(names.name(999) == "1000");
  CHECK(names.insert("7") == 6);
  CHECK(names.memory_bytes() == 0);
  VertexNames text = names;
  CHECK(names.insert("0") == 1000);
  CHECK(names.find("1000") == 999);
  CHECK(text.insert("zero") == 1000);
  CHECK(text.find("1000") == 999);
  CHECK(text.name(0) == "1");
}

TEST_CASE("more vertices than a graph can have are refused before any memory is taken") {
  VertexNames names = VertexNames::numbered(std::numeric_limits<VertexId>::max());
  for (const auto* id : {"one more", "2147483647"}) {
    const auto error = test::error_of([&] { names.insert(id); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
  }
  CHECK(test::error_of([] { VertexNames::numbered(-1); })->code() == ErrorCode::usage);
}

TEST_CASE("memory grows with the number of ids and not with the largest") {
  VertexNames names;
  for (std::uint64_t i = 0; i < 1000; ++i) names.insert(largest - i);
  CHECK(names.memory_bytes() < 40000);
}

}  // namespace
