// Lines of an endless input, and the trials in them.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "gssl/core/number_text.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/io/trial_reader.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

namespace {

// "outcome|first|second|values" of each trial, a line each; "!" and the message where one is wrong.
std::string trials_of(const std::string& text, const TrialReadOptions& options) {
  const TemporaryDirectory dir;
  TrialReader reader(LineStream(dir.file("stream", text)), options);
  std::string out;
  OnlineTrial trial;
  for (;;) {
    try {
      if (!reader.next(trial)) return out;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::bad_data) throw;
      out += "!" + std::string(error.what()).substr(dir.path().string().size() + 1) + "\n";
      continue;
    }
    out += std::string(trial.outcome) + "|" + std::string(trial.first) + "|" +
           std::string(trial.second) + "|";
    for (std::size_t i = 0; i < trial.values.size(); ++i) {
      if (i > 0) out += " ";
      if (trial.sparse) out += std::to_string(trial.columns[i]) + ":";
      out += to_text(trial.values[i]);
    }
    for (const std::string_view word : trial.texts) out += "<" + std::string(word) + ">";
    out += "\n";
  }
}

}  // namespace

TEST_CASE("trials are read as each kind of instance has them", "[trial_reader]") {
  CHECK(trials_of("a,b,class\n1,2,x\n3,4.5,?\n",
                  {.layout = TrialLayout::features, .label_column = "class"}) ==
        "x|||1 2\n|||3 4.5\n");
  CHECK(trials_of("# rows\n+1 1:0.5 3:-2e1\n\n-1 2:1 # end\n1\n",
                  {.layout = TrialLayout::features}) == "+1|||0:0.5 2:-20\n-1|||1:1\n1|||\n");
  CHECK(trials_of("1:2 4:1.25\n", {.layout = TrialLayout::features}) == "|||0:2 3:1.25\n");
  CHECK(trials_of("0.5,0,1\n1,1,0.25\n", {.layout = TrialLayout::advice}) ==
        "0.5|||0 1\n1|||1 0.25\n");
  CHECK(trials_of("a;b;a\n", {.layout = TrialLayout::advice, .predictions_as_text = true}) ==
        "a|||<b><a>\n");
  CHECK(trials_of("left right\n0 1\n", {.layout = TrialLayout::losses}) == "|||0 1\n");
  CHECK(trials_of("node\tlabel\nann\tred\n", {.layout = TrialLayout::node}) == "red|ann||\n");
  CHECK(trials_of("t1 1 0 1\n", {.layout = TrialLayout::task}) == "1|t1||0 1\n");
  CHECK(trials_of("user,movie,rating\nu,m,4\n", {.layout = TrialLayout::cell}) == "4|u|m|\n");
  CHECK(trials_of("1;0,5;2\n", {.layout = TrialLayout::advice,
                                .table = {.delimiter = ';', .decimal = ','}}) == "1|||0.5 2\n");
}

TEST_CASE("a malformed trial names its line, and reading goes on after it", "[trial_reader]") {
  CHECK_THAT(trials_of("0,1,2\n0,1\n0,x,2\n1,1,1\n", {.layout = TrialLayout::advice}),
             Contains("stream:2: 2 fields; expected 3") && Contains("stream:3: column 2 is x") &&
                 Contains("\n1|||1 1\n"));
  CHECK_THAT(trials_of("1 2:1 1:1\n1 0:3\n1 1:nan\n1 1:2:3\n-1 7:1\n", {}),
             Contains("stream:1: 1:1 after index 2") &&
                 Contains("stream:2: 0:3; expected an index") && Contains("stream:3: 1:nan") &&
                 Contains("stream:4: 1:2:3; expected index:value") && Contains("-1|||6:1\n"));
  const auto error = error_of([] { trials_of("1,2,3\n", {}); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::usage);
  CHECK(error->remedies().has(Remedy::label_column));
}

TEST_CASE("numbers of sparse rows are the nearest doubles", "[trial_reader]") {
  std::string text = "1";
  std::string expected;
  const std::vector<std::string> numbers = {
      "0.1",   "123456.789012345", "0.30000000000000004", "1e-320",
      "-0",    "999999999999999",  "9007199254740993",    "0.000000000000001",
      "-17.25"};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    text += " " + std::to_string(i + 1) + ":" + numbers[i];
    expected += (i > 0 ? " " : "") + std::to_string(i) + ":" +
                to_text(std::strtod(numbers[i].c_str(), nullptr));
  }
  CHECK(trials_of(text + "\n", {}) == "1|||" + expected + "\n");
}

TEST_CASE("numbers of sparse rows are right whatever their width and place", "[trial_reader]") {
  Rng rng(4);
  const auto digits = [&](std::uint64_t most) {
    std::string all;
    for (std::uint64_t i = 1 + rng.below(most); i > 0; --i) all += char('0' + rng.below(10));
    return all;
  };
  for (int row = 0; row < 500; ++row) {
    std::string text = row % 2 == 0 ? "1" : "+1", expected;
    std::int64_t at = 0;
    for (std::uint64_t i = 1 + rng.below(12); i > 0; --i) {
      at += 1 + static_cast<std::int64_t>(rng.below(row % 3 == 0 ? 9 : 90'000'000));
      std::string number = digits(row % 5 == 0 ? 12 : 3);
      if (rng.below(3) > 0) number += "." + digits(row % 5 == 0 ? 12 : 4);
      if (rng.below(4) == 0) number = "-" + number;
      if (rng.below(9) == 0) number += "e-2";
      text += (rng.below(5) == 0 ? "  " : " ") + std::to_string(at) + ":" + number;
      expected += (expected.empty() ? "" : " ") + std::to_string(at - 1) + ":" +
                  to_text(std::strtod(number.c_str(), nullptr));
    }
    if (row % 4 == 0) text += row % 8 == 0 ? " " : " # so it is";
    CHECK(trials_of(text + "\n", {}) == (row % 2 == 0 ? "1|||" : "+1|||") + expected + "\n");
  }
}

TEST_CASE("a pair that is none is refused wherever it stands in a sparse row", "[trial_reader]") {
  for (const std::string pair :
       {"3:", ":3", "3:.", "3:1.", "3:.5.", "3:-", "3:--1", "3:1:2", "3:1.2.3", "3:1-2", "3;1",
        "3:1x", "x:1", "-3:1", "3:1,5", "3:1.5.", "0:1", "00000000:1", "123456789012:1"}) {
    INFO(pair);
    for (const std::string after : {"", " 900:1", " 900:1.25 901:-2.5 902:3.125 903:4.5 904:1"}) {
      const std::string told = trials_of("1 1:1\n1 1:0.5 2:1 " + pair + after + "\n-1 1:1\n", {});
      const bool read =
          pair == "3:1." && told == trials_of("1 1:1\n1 1:0.5 2:1 3:1" + after + "\n-1 1:1\n", {});
      CHECK((read || told.starts_with("1|||0:1\n!stream:2: " + pair)));
      CHECK(told.ends_with("-1|||0:1\n"));
    }
  }
}

TEST_CASE("lines come plain and packed, with and without a last line end", "[trial_reader]") {
  const TemporaryDirectory dir;
  std::string text =
      "\xEF\xBB\xBF"
      "first\r\n";
  for (int i = 0; i < 50000; ++i) text += "line " + std::to_string(i) + "\n";
  text += std::string(1 << 19, 'x') + "\nlast";
  const std::string plain = dir.file("plain", text);
  const auto shell = [](const std::string& command) { REQUIRE(std::system(command.c_str()) == 0); };
  shell("gzip -c " + plain + " > " + plain + ".gz");
  shell("cat " + plain + ".gz " + plain + ".gz > " + plain + "2.gz");
  shell("head -c 5000 " + plain + ".gz > " + plain + "cut.gz");
  const auto lines_of = [](const std::string& path) {
    LineStream lines(path);
    std::size_t bytes = 0;
    std::string last;
    while (const auto line = lines.next()) {
      if (lines.line() == 1) CHECK(*line == "first");
      bytes += line->size();
      last = *line;
    }
    CHECK(last == "last");
    return std::pair(lines.line(), bytes);
  };
  const auto expected = lines_of(plain);
  CHECK(expected.first == 50003);
  CHECK(lines_of(plain + ".gz") == expected);
  CHECK(lines_of(plain + "2.gz").first == 2 * 50003 - 1);  // "last" and "first" are one line
  const auto error = error_of([&] {
    LineStream lines(plain + "cut.gz");
    while (lines.next()) {
    }
  });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::bad_data);
  CHECK_THAT(error->what(), Contains("ends early"));
}

TEST_CASE("every line of a pipe is handed out before more is awaited", "[trial_reader]") {
  const TemporaryDirectory dir;
  const std::string path = (dir.path() / "pipe").string();
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  std::thread writer([&] {
    const int out = ::open(path.c_str(), O_WRONLY);
    CHECK(::write(out, "one\ntwo\nthr", 11) == 11);
    ::usleep(50000);
    CHECK(::write(out, "ee\n", 3) == 3);
    ::close(out);
  });
  LineStream lines(path);
  CHECK(*lines.next() == "one");
  CHECK(lines.ready());
  CHECK(*lines.next() == "two");
  CHECK_FALSE(lines.ready());
  CHECK(*lines.next() == "three");
  CHECK_FALSE(lines.next());
  writer.join();
  CHECK(error_of([&] { LineStream none((dir.path() / "none").string()); })->code() ==
        ErrorCode::cannot_open);
}
