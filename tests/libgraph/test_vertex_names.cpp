#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <numeric>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

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

// Ids of every kind that a file may bring, each with its order of first appearance.
std::vector<std::uint64_t> many_ids(const std::string& kind) {
  Rng rng(11);
  std::vector<std::uint64_t> ids(20000);
  std::iota(ids.begin(), ids.end(), std::uint64_t{0});
  if (kind == "shuffled") shuffle(ids, rng);
  if (kind == "from the largest down")
    for (auto& id : ids) id = largest - id;
  if (kind == "every 5th")
    for (auto& id : ids) id *= 5;
  if (kind == "scattered")
    for (auto& id : ids) id = (id + 1) * 0x9e3779b97f4a7c15ULL;
  if (kind == "small and scattered")
    for (auto& id : ids)
      if (id % 3 == 0) id = (id + 1) * 0x9e3779b97f4a7c15ULL;
  if (kind == "growing by doubling")
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = std::uint64_t{i} << (i / 500);
  return ids;
}

TEST_CASE("integers of every kind are numbered by first appearance and found again") {
  const std::string kind =
      GENERATE(as<std::string>(), "in order", "shuffled", "from the largest down", "every 5th",
               "scattered", "small and scattered", "growing by doubling");
  INFO(kind);
  const std::vector<std::uint64_t> ids = many_ids(kind);
  VertexNames names;
  std::unordered_map<std::uint64_t, VertexId> expected;
  Rng rng(12);
  bool right = true;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    // A new one, then one that was there before.
    for (const std::uint64_t id : {ids[i], ids[rng.below(i + 1)]}) {
      const auto v = expected.emplace(id, static_cast<VertexId>(expected.size())).first->second;
      right = right && names.insert(id) == v && names.find(id) == v;
    }
  }
  CHECK(right);
  CHECK(names.size() == static_cast<VertexId>(expected.size()));
  for (const auto& [id, v] : expected)
    right = right && names.find(id) == v && names.name(v) == std::to_string(id) &&
            names.find(std::to_string(id)) == v;
  CHECK(right);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t absent = rng();
    if (!expected.contains(absent)) right = right && names.find(absent) == no_vertex;
  }
  CHECK(right);
  CHECK(names.memory_bytes() < 64 * expected.size());
  std::vector<VertexId> at_once(ids.size());
  names.find(std::span<const std::uint64_t>(ids), at_once);
  for (std::size_t i = 0; i < ids.size(); ++i) right = right && at_once[i] == expected.at(ids[i]);
  CHECK(right);
}

TEST_CASE("no directory is held of ids that are all large") {
  VertexNames small, large;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    small.insert(3 * i);
    large.insert((i + 1) * 0x9e3779b97f4a7c15ULL);
  }
  // A list of ids and the slots, 13 bytes each.
  CHECK(large.memory_bytes() < std::size_t{30} * 20000);
  // A directory of twice the ids in place of slots.
  CHECK(small.memory_bytes() < std::size_t{50} * 20000);
}

TEST_CASE("many ids at once are the same as one after the other") {
  Rng rng(13);
  std::vector<std::uint64_t> integers;
  std::vector<std::string> texts;
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t id = rng.below(3000);
    integers.push_back(i % 2 == 0 ? id : id << 40);
    texts.push_back(std::string(id % 20, 'x') + std::to_string(id));
  }
  const std::vector<HashedName> words(texts.begin(), texts.end());
  VertexNames one;
  VertexNames many;
  const auto check = [&](const auto& ids) {
    std::vector<VertexId> expected(ids.size());
    std::vector<VertexId> vertices(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) expected[i] = one.insert(ids[i]);
    const std::span all(ids);
    for (std::size_t at = 0; at < ids.size(); at += 70) {
      const std::size_t count = std::min<std::size_t>(70, ids.size() - at);
      many.insert(all.subspan(at, count), std::span(vertices).subspan(at, count));
    }
    CHECK((vertices == expected));
    CHECK(many.size() == one.size());
  };
  check(integers);
  check(words);     // converts to strings
  check(integers);  // all known by their text
  const VertexId negative = many.insert("-7");
  CHECK(negative == one.size());
  CHECK(many.find("-7") == negative);
  CHECK(many.find("7") != negative);
}

// Names in small parts, while a thread looks all of them up.
template <class Name>
void check_found_beside_insertion(const std::vector<Name>& all) {
  VertexNames names;
  std::vector<VertexId> inserted(all.size());
  std::mutex growth, next;  // who has `next` gets `growth`
  std::atomic<bool> over = false;
  bool right = true;
  std::vector<VertexId> found(all.size());
  std::thread reader([&] {
    do {
      std::unique_lock turn(next);
      const std::scoped_lock looking(growth);
      turn.unlock();
      names.find(all, found);
      for (std::size_t i = 0; i < all.size(); ++i)
        right = right && (found[i] == static_cast<VertexId>(i) || found[i] == no_vertex);
    } while (!over);
  });
  constexpr std::size_t some = 50;
  int grown = 0;
  for (std::size_t first = 0; first < all.size(); first += some) {
    auto part = std::span<const Name>(all).subspan(first, some);
    for (;;) {
      part = part.subspan(names.insert_in_place(part, inserted));
      if (part.empty()) break;
      auto room = names.room_for(part.front());
      const std::scoped_lock turn(next);
      const std::scoped_lock alone(growth);
      if (room == nullptr)  // the first words
        names.insert(part.first(1), inserted);
      else
        names.take(std::move(room));
      ++grown;
    }
  }
  over = true;
  reader.join();
  CHECK(right);
  CHECK(grown >= 15);
  CHECK(grown < 100);  // of 40,000
  names.find(all, found);
  CHECK(std::ranges::equal(found, std::views::iota(0, static_cast<int>(all.size()))));
  VertexNames at_once;
  at_once.insert(all, inserted);
  CHECK(names.memory_bytes() == at_once.memory_bytes());
}

TEST_CASE("names are found while another thread inserts, and makes room for more") {
  constexpr std::size_t count = 40000;
  std::vector<std::uint64_t> rising(count);
  std::iota(rising.begin(), rising.end(), std::uint64_t{0});
  check_found_beside_insertion(rising);
  std::vector<std::uint64_t> large = rising;
  for (std::uint64_t& name : large) name = (name + 1) * 0x9e3779b97f4a7c15U;
  check_found_beside_insertion(large);
  std::vector<std::string> texts;
  for (const std::uint64_t name : large) texts.push_back("n" + std::to_string(name));
  check_found_beside_insertion(std::vector<HashedName>(texts.begin(), texts.end()));
}

TEST_CASE("names that change the kind of all have no place beside look-ups") {
  VertexNames names;
  std::vector<VertexId> vertices(2);
  names.insert(std::uint64_t{7});
  CHECK(names.insert_in_place(std::vector{HashedName("7"), HashedName("x")}, vertices) == 1);
  CHECK(names.room_for(std::string_view("x")) == nullptr);
  names.insert("x");
  CHECK(names.insert_in_place(std::vector<std::uint64_t>{7, 8}, vertices) == 1);
  CHECK(names.room_for(std::uint64_t{8}) == nullptr);
  CHECK(vertices[0] == 0);
  CHECK(names.size() == 2);
}

TEST_CASE("a name that comes twice among those inserted in place is one vertex") {
  VertexNames names;
  std::vector<VertexId> vertices(4);
  std::vector<std::uint64_t> ids{1'000'000, 1'000'000, 5, 1'000'000};
  CHECK(names.insert_in_place(ids, vertices) == 0);
  names.take(names.room_for(ids.front()));
  std::size_t done = names.insert_in_place(ids, vertices);
  while (done < ids.size()) {
    names.take(names.room_for(ids[done]));
    done += names.insert_in_place(std::span(ids).subspan(done), std::span(vertices).subspan(done));
  }
  CHECK(vertices == std::vector<VertexId>{0, 0, 1, 0});
}

TEST_CASE("short and long texts that differ in one byte are different names") {
  VertexNames names;
  std::vector<std::string> texts;
  for (std::size_t length = 0; length <= 40; ++length) {
    texts.push_back(std::string(length, 'a'));
    for (std::size_t at = 0; at < length; ++at) {
      texts.push_back(texts.back());
      texts.back().assign(length, 'a');
      texts.back()[at] = at % 2 == 0 ? '\xFF' : 'b';
    }
  }
  bool right = true;
  for (std::size_t i = 0; i < texts.size(); ++i)
    right = right && names.insert(texts[i]) == static_cast<VertexId>(i);
  for (std::size_t i = 0; i < texts.size(); ++i)
    right = right && names.find(texts[i]) == static_cast<VertexId>(i);
  CHECK(right);
}

// Names that a test holds: "a", "7", "".
class ThreeNames final : public StoredNames {
 public:
  VertexId size() const override { return 3; }
  VertexId find(std::string_view name) const override {
    for (VertexId v = 0; v < size(); ++v)
      if (at(v) == name) return v;
    return no_vertex;
  }
  void append_name(VertexId v, std::string& out) const override { out += at(v); }
  std::size_t memory_bytes() const override { return 17; }

 private:
  static std::string_view at(VertexId v) {
    constexpr std::string_view names[] = {"a", "7", ""};
    return names[v];
  }
};

TEST_CASE("names of another owner are looked up there until a new one is inserted", "[stored]") {
  VertexNames names(std::make_shared<ThreeNames>());
  CHECK(names.size() == 3);
  CHECK(names.memory_bytes() == 17);
  CHECK(names.find("a") == 0);
  CHECK(names.find(std::uint64_t{7}) == 1);
  CHECK(names.find("b") == no_vertex);
  CHECK(names.name(2).empty());
  CHECK_THROWS_AS(names.name(3), Error);
  CHECK(names.insert("a") == 0);
  CHECK(names.insert(std::uint64_t{7}) == 1);
  CHECK(names.memory_bytes() == 17);  // nothing was new
  const VertexNames before = names;
  std::vector<VertexId> vertices(3);
  names.insert(std::vector<std::uint64_t>{7, 8, 7}, vertices);
  CHECK(vertices == std::vector<VertexId>{1, 3, 1});
  CHECK(names.find("8") == 3);
  CHECK(names.name(0) == "a");
  CHECK(names.find("") == 2);
  CHECK(before.size() == 3);
}

}  // namespace
