// Files read on any number of threads against a twin that takes one line at a time.
#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "distinct_ids.hpp"
#include "gssl/core/rng.hpp"
#include "in_order.hpp"
#include "integer_text.hpp"
#include "io_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// What a file holds, line by line: the slow twin of the reader. Weights are quarters, so that sums
// do not depend on their order.
class Twin {
 public:
  void edge(const std::string& u, const std::string& v, double weight) {
    const int a = number(u), b = number(v);
    ++given;
    if (weight == 0) {
      ++zeros;
    } else if (a == b) {
      ++loops;
    } else {
      Pair& pair = pairs_[{std::min(a, b), std::max(a, b)}];
      double& sum = a < b ? pair.ahead : pair.back;
      if (sum > 0) ++merged;
      sum += weight;
    }
  }

  std::string described() const {
    std::string text;
    for (const std::string& name : names_) text += (text.empty() ? "" : " ") + name;
    text += "\n";
    // As described() of a graph has them: by the lower vertex, then by the other.
    for (const auto& [ends, pair] : pairs_) {
      const double weight = std::max(pair.ahead, pair.back);
      text += names_[static_cast<std::size_t>(ends.first)] + " " +
              names_[static_cast<std::size_t>(ends.second)] + " " + quarters(weight) + "\n";
    }
    return text;
  }

  std::int64_t both_ways() const {
    return std::ranges::count_if(
        pairs_, [](const auto& one) { return one.second.ahead > 0 && one.second.back > 0; });
  }

  static std::string quarters(double weight) {
    const auto whole = static_cast<int>(weight);
    const std::map<double, std::string> parts = {{0, ""}, {.25, ".25"}, {.5, ".5"}, {.75, ".75"}};
    return std::to_string(whole) + parts.at(weight - whole);
  }

  std::int64_t given = 0, zeros = 0, loops = 0, merged = 0;

 private:
  struct Pair {
    double ahead = 0, back = 0;
  };
  int number(const std::string& name) {
    const auto [at, is_new] = numbers_.try_emplace(name, static_cast<int>(names_.size()));
    if (is_new) names_.push_back(name);
    return at->second;
  }
  std::map<std::string, int> numbers_;
  std::vector<std::string> names_;
  std::map<std::pair<int, int>, Pair> pairs_;
};

enum class Kind { dense, sparse, words, in_order, words_in_order, mixed_late };

// A file of every oddity that a list of edges may have.
struct OddFile {
  OddFile(Kind kind, int lines, std::uint64_t seed) : rng(seed), kind_(kind), lines_(lines) {
    weighted_ = rng.below(2) == 0;
    separator_ = std::string(1, " \t,"[rng.below(3)]);
    if (rng.below(2) == 0) text = "# made for a test\n";
    for (line_ = 0; line_ < lines; ++line_) {
      line_starts.push_back(text.size());
      add_line();
      text += rng.below(8) == 0 ? "\r\n" : "\n";
    }
    line_starts.push_back(text.size());
    if (rng.below(2) == 0) add_edge(id(), id());  // a last line without its end
  }

  gssl::Rng rng;
  std::string text;
  Twin twin;
  std::vector<std::size_t> line_starts;

 private:
  void add_line() {
    const std::uint64_t odd = line_ < 20 ? 100 : rng.below(200);
    if (odd == 0) {
      text += "# a comment " + std::to_string(line_);
    } else if (odd == 1) {
      text += "   ";
    } else if (odd == 2) {
      const std::string u = id();
      text += "\"" + u + "\"" + separator_ + "\"" + u + "\"" + weight_of(1.0);
      twin.edge(u, u, 1.0);
    } else if (odd == 3 && separator_ == " ") {
      text += "  ";
      add_edge(id(), id());
    } else {
      add_edge(id(), id());
    }
  }

  void add_edge(const std::string& u, const std::string& v) {
    const double weight = weighted_ ? 0.25 * static_cast<double>(rng.below(9)) : 1.0;
    text += u + separator_ + v + weight_of(weight);
    twin.edge(u, v, weight);
  }

  std::string weight_of(double weight) const {
    return weighted_ ? separator_ + Twin::quarters(weight) : "";
  }

  std::string id() {
    const std::uint64_t number = rng.below(static_cast<std::uint64_t>(lines_) / 3);
    const bool late = line_ > 2 * lines_ / 3;
    switch (kind_) {
      case Kind::dense: return std::to_string(number);
      case Kind::sparse: return std::to_string((number + 1) * 0x9e3779b97f4a7c15ULL);
      case Kind::words: return "name-" + std::to_string(number);
      // New ids all the way, several times each within a few lines.
      case Kind::in_order:
        return std::to_string(static_cast<std::uint64_t>(line_ / 2) + number % 40);
      case Kind::words_in_order:
        return "n" + std::to_string(static_cast<std::uint64_t>(line_ / 2) + number % 40);
      case Kind::mixed_late:
        if (!late || rng.below(3) > 0) return std::to_string(number);
        return (rng.below(2) == 0 ? "00" : "x") + std::to_string(number);
    }
    return {};
  }

  Kind kind_;
  int lines_;
  int line_ = 0;
  bool weighted_ = false;
  std::string separator_;
};

constexpr std::array thread_counts = {1, 2, 3, 7};

}  // namespace

TEST_CASE("Odd files are read on any number of threads as their lines say", "[threads]") {
  const auto kind = GENERATE(Kind::dense, Kind::sparse, Kind::words, Kind::in_order,
                             Kind::words_in_order, Kind::mixed_late);
  const int lines = GENERATE(300, 6000, 40000);
  const auto seed = static_cast<std::uint64_t>(lines) + static_cast<std::uint64_t>(kind);
  const OddFile odd(kind, lines, seed);
  CAPTURE(static_cast<int>(kind), lines);
  const std::string expected = odd.twin.described();
  const GraphFile first = read_text(odd.text);
  for (const int threads : thread_counts) {
    CAPTURE(threads);
    const GraphFile file = read_text(odd.text, {}, threads);
    CHECK((described(file) == expected));
    CHECK(file.graph == first.graph);
    CHECK(file.stats.edges_given == odd.twin.given);
    CHECK(file.stats.zero_weights_dropped == odd.twin.zeros);
    CHECK(file.stats.self_loops_dropped == odd.twin.loops);
    CHECK(file.stats.duplicates_merged == odd.twin.merged);
    CHECK(file.stats.reversed_merged == odd.twin.both_ways());
    CHECK(file.stats.lines == std::ranges::count(odd.text, '\n') + !odd.text.ends_with('\n'));
  }
  CHECK(read_text(gzip(odd.text), {}, 3).graph == first.graph);
}

TEST_CASE("The first bad line of a file is the one that is told, on any number of threads",
          "[threads]") {
  const OddFile odd(Kind::dense, 6000, 5);
  gssl::Rng rng(6);
  for (int trial = 0; trial < 12; ++trial) {
    std::string text = odd.text;
    std::set<std::size_t> places;
    for (int i = 0; i < 3; ++i) places.insert(25 + rng.below(odd.line_starts.size() - 25));
    for (auto at = places.rbegin(); at != places.rend(); ++at)
      text.insert(odd.line_starts[*at], "7 8 9 10 11\n");
    const std::int64_t line =
        1 + std::ranges::count(text.substr(0, odd.line_starts[*places.begin()]), '\n');
    for (const int threads : thread_counts) {
      const auto error = error_of([&] { read_text(text, {}, threads, "e.txt"); });
      REQUIRE(error);
      CHECK_THAT(error->what(), Catch::StartsWith("e.txt:" + std::to_string(line) + ":"));
    }
  }
}

TEST_CASE("Weights are read to the last bit as std::from_chars reads them", "[threads]") {
  gssl::Rng rng(9);
  std::vector<std::string> texts = {"5.",
                                    ".5",
                                    "0",
                                    "0.0",
                                    "1e3",
                                    "2.5e-3",
                                    "7E2",
                                    "-1",
                                    "x",
                                    "inf",
                                    "nan",
                                    "0x1p3",
                                    "1..2",
                                    "1.2.3",
                                    "",
                                    "0.1",
                                    "123456789012345678"};
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    const auto digits = [&](std::uint64_t most) {
      for (std::uint64_t left = rng.below(most); left > 0; --left)
        text += static_cast<char>('0' + rng.below(10));
    };
    digits(12);
    if (rng.below(4) > 0) text += '.';
    digits(12);
    if (rng.below(16) == 0) text += "e-" + std::to_string(rng.below(300));
    texts.push_back(text);
  }
  for (const std::string& text : texts) {
    const std::string line = text + "\n";
    const char* const end = line.data() + line.size();
    double weight = 0.0, expected = 0.0;
    const char* const stop = detail::take_weight(line.data(), end, weight);
    const auto [last, error] = std::from_chars(line.data(), end, expected);
    const bool taken = error == std::errc{} && std::isfinite(expected) && expected >= 0;
    CAPTURE(text);
    CHECK(stop == (taken ? last : nullptr));
    if (taken) CHECK(weight == expected);
  }
}

TEST_CASE(
    "An integer off the front of a line is what from_chars makes of it, where it is canonical") {
  std::vector<std::string> texts = {"0",
                                    "7",
                                    "00",
                                    "07",
                                    "",
                                    "x",
                                    "9999999999999999999",
                                    "10000000000000000000",
                                    "18446744073709551615",
                                    "18446744073709551616",
                                    "19999999999999999999",
                                    "20000000000000000000",
                                    "28446744073709551615",
                                    "99999999999999999999",
                                    "100000000000000000000",
                                    "118446744073709551615"};
  gssl::Rng rng(11);
  for (int i = 0; i < 20000; ++i) {
    std::string text(1, static_cast<char>('0' + rng.below(3)));
    for (std::uint64_t left = rng.below(21); left > 0; --left)
      text += static_cast<char>('0' + rng.below(10));
    texts.push_back(text);
  }
  for (const std::string& text : texts) {
    const std::string line = text + "\t";
    const char* const end = line.data() + line.size();
    std::uint64_t value = 0, expected = 0;
    const char* const stop = detail::take_integer(line.data(), end, value);
    const auto [last, error] = std::from_chars(line.data(), end, expected);
    const bool canonical = text.size() == 1 || !text.starts_with('0');
    const bool taken = error == std::errc{} && canonical;
    CAPTURE(text);
    CHECK(stop == (taken ? last : nullptr));
    if (taken) CHECK(value == expected);
  }
}

TEST_CASE("A matrix is read on any number of threads as on one", "[threads]") {
  gssl::Rng rng(3);
  std::string body;
  constexpr int entries = 30000;
  for (int i = 0; i < entries; ++i) {
    if (rng.below(500) == 0) body += "% a comment\n";
    body += std::to_string(1 + rng.below(900)) + " " + std::to_string(1 + rng.below(900)) + " " +
            Twin::quarters(0.25 * static_cast<double>(rng.below(9))) + "\n";
  }
  const std::string text = "%%MatrixMarket matrix coordinate real general\n900 900 " +
                           std::to_string(entries) + "\n" + body;
  const GraphFile one = read_text(text);
  CHECK(one.stats.zero_weights_dropped > 0);
  for (const int threads : thread_counts) {
    const GraphFile file = read_text(text, {}, threads);
    CHECK(file.graph == one.graph);
    CHECK(file.stats.lines == one.stats.lines);
    CHECK(file.stats.duplicates_merged == one.stats.duplicates_merged);
    CHECK(file.stats.zero_weights_dropped == one.stats.zero_weights_dropped);
  }
}

TEST_CASE("Distinct ids are each there once, in order, and stand where they stood") {
  gssl::Rng rng(12);
  detail::DistinctIds<std::uint64_t> integers;
  detail::DistinctIds<HashedName> words;
  for (const std::size_t size : {0, 1, 2, 1000, 7, 5000}) {
    for (const std::uint64_t range : {1ULL, 50ULL, 1ULL << 40}) {
      std::vector<std::uint64_t> ids(size);
      for (std::uint64_t& id : ids) id = rng.below(range) << rng.below(24);
      const std::set<std::uint64_t> each(ids.begin(), ids.end());
      integers.take(ids);
      REQUIRE(integers.ids.size() == each.size());
      REQUIRE(integers.which.size() == size);
      std::size_t seen = 0;
      for (std::size_t i = 0; i < size; ++i) {
        CHECK(integers.ids[integers.which[i]] == ids[i]);
        CHECK(integers.which[i] <= seen);
        if (integers.which[i] == seen) ++seen;
      }
      CHECK(seen == each.size());

      std::vector<std::string> texts;
      for (const std::uint64_t id : ids) texts.push_back("n" + std::to_string(id));
      const std::vector<HashedName> names(texts.begin(), texts.end());
      words.take(names);
      CHECK(words.which == integers.which);
      CHECK(words.ids.size() == each.size());
    }
  }
}

TEST_CASE("Several rows of work in order use the same blocks", "[threads]") {
  for (const int threads : thread_counts) {
    detail::OrderedWork<std::int64_t> work(threads);
    std::vector<std::int64_t> used;
    for (const std::int64_t count : {100, 0, 1, 57}) {
      work.run(
          count, [](std::int64_t i, std::int64_t& block) { block = 3 * i; },
          [&](std::int64_t i, std::int64_t& block) { used.push_back(block == 3 * i ? i : -1); });
    }
    REQUIRE(used.size() == 158);
    CHECK(used[99] == 99);
    CHECK(used[100] == 0);
    CHECK(std::is_sorted(used.begin() + 101, used.end()));
    CHECK(used[101] == 0);
  }
}

TEST_CASE("Work in order is used in order, up to the first item that fails", "[threads]") {
  for (const int threads : thread_counts) {
    std::vector<std::int64_t> used;
    std::atomic<int> at_once{0};
    const auto make = [](std::int64_t i, std::int64_t& block) { block = i * i; };
    detail::make_then_use<std::int64_t>(500, threads, make,
                                        [&](std::int64_t i, std::int64_t& block) {
                                          CHECK(++at_once == 1);
                                          used.push_back(block == i * i ? i : -1);
                                          --at_once;
                                        });
    REQUIRE(used.size() == 500);
    CHECK(std::ranges::is_sorted(used));
    CHECK(used.front() == 0);

    used.clear();
    const auto failing = [](std::int64_t i, std::int64_t&) {
      if (i == 43 || i == 41) throw std::runtime_error("made " + std::to_string(i));
    };
    CHECK_THROWS_WITH(detail::make_then_use<std::int64_t>(500, threads, failing,
                                                          [&](std::int64_t i, std::int64_t&) {
                                                            used.push_back(i);
                                                            if (i == 42)
                                                              throw std::runtime_error("used 42");
                                                          }),
                      "made 41");
    CHECK(used.size() == 41);
  }
}
