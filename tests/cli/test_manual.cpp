// The manual, the short help, the topics and the data that they are made of.

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
using Catch::Contains;

namespace {

nlohmann::json command_line() {
  const TemporaryDirectory dir;
  const std::string path = (dir.path() / "help.json").string();
  REQUIRE(run_gssl({"help", "--format", "json", "-o", path}).status == 0);
  return read_json(path);
}

// As it stands in a page of roff.
std::string escaped(const std::string& name) {
  std::string out;
  for (const char c : name) out += c == '-' ? "\\-" : std::string(1, c);
  return out;
}

bool has_program(const std::string& name) {
  return run_shell("command -v " + name + " >/dev/null").status == 0;
}

}  // namespace

TEST_CASE("every option of the help is in the man page and in the three completions", "[manual]") {
  const TemporaryDirectory dir;
  const std::string man = (dir.path() / "man").string();
  REQUIRE(run_gssl({"help", "--man", man}).status == 0);
  std::vector<std::string> scripts;
  for (const char* shell : {"bash", "zsh", "fish"})
    scripts.push_back(run_gssl({"completions", shell}).out);
  const auto described = command_line();
  int seen = 0;
  for (const auto& verb : described["verbs"]) {
    const std::string name = verb["name"];
    const std::string page = read_file(man + "/gssl-" + name + ".1");
    const std::string help = run_gssl({name, "--help"}).out;
    for (const auto& option : verb["options"]) {
      if (option["positional"]) continue;
      for (const std::string typed : option["names"]) {
        INFO(name << " " << typed);
        CHECK_THAT(help, Contains(typed));
        CHECK_THAT(page, Contains(escaped(typed)));
        CHECK_THAT(scripts[0], Contains(typed));
        CHECK_THAT(scripts[1], Contains("'" + typed + "["));
        const bool is_long = typed.starts_with("--");
        CHECK_THAT(scripts[2],
                   Contains((is_long ? " -l " : " -s ") + typed.substr(is_long ? 2 : 1)));
        ++seen;
      }
    }
  }
  CHECK(seen > 200);
}

TEST_CASE("man and groff have nothing to say against the pages", "[manual]") {
  if (!has_program("man")) {
    WARN("skipped: no man here");
    return;
  }
  const TemporaryDirectory dir;
  const std::string man = (dir.path() / "man").string();
  REQUIRE(run_gssl({"help", "--man", man}).status == 0);
  // All pages in one run of the formatter; what it prints of them is thrown away.
  const Result r =
      run_shell("cd " + man + " && LC_ALL=C.UTF-8 man --warnings -Tutf8 -l ./* 2>&1 >/dev/null");
  INFO(r.out);
  CHECK(r.out.empty());
  const Result page = run_shell("LC_ALL=C.UTF-8 MANWIDTH=80 man -l " + man + "/gssl-label.1");
  CHECK_THAT(page.out, Contains("--method SPEC") && Contains("EXIT STATUS"));
}

TEST_CASE("the same program writes the same pages, dated where a date is given", "[manual]") {
  const TemporaryDirectory dir;
  const std::string a = (dir.path() / "a").string(), b = (dir.path() / "b").string(),
                    dated = (dir.path() / "dated").string();
  CHECK(run_shell("$GSSL help --man " + a + " && $GSSL help --man " + b + " && diff -r " + a + " " +
                  b)
            .status == 0);
  CHECK(run_shell("SOURCE_DATE_EPOCH=86400 $GSSL help --man " + dated).status == 0);
  CHECK_THAT(read_file(dated + "/gssl.1"), Contains("1970\\-01\\-02"));
  CHECK(run_gssl({"help", "--man", "/proc/none/man"}).status == 73);
}

TEST_CASE("-h fits a screen of 24 lines and 80 columns", "[manual]") {
  std::vector<std::vector<std::string>> lines = {{"-h"}};
  const auto described = command_line();
  for (const auto& verb : described["verbs"])
    lines.push_back({verb["name"].get<std::string>(), "-h"});
  for (const std::vector<std::string>& line : lines) {
    const Result r = run_gssl(line);
    INFO(line.front());
    CHECK(r.status == 0);
    CHECK(std::ranges::count(r.out, '\n') <= 24);
    std::istringstream text(r.out);
    for (std::string one; std::getline(text, one);)
      CHECK(std::ranges::count_if(one, [](char c) { return (c & 0xC0) != 0x80; }) <= 80);
  }
  CHECK(run_gssl({"label", "--help"}).out.size() > run_gssl({"label", "-h"}).out.size());
}

TEST_CASE("gssl help knows topics, learners and what was meant", "[manual]") {
  const auto json = command_line();
  CHECK(json["topics"].size() >= 9);
  for (const auto& topic : json["topics"]) {
    const Result r = run_gssl({"help", topic["name"].get<std::string>()});
    CHECK(r.status == 0);
    CHECK_THAT(r.out, Contains(topic["title"].get<std::string>()));
  }
  CHECK_THAT(run_gssl({"help", "examples"}).out, Contains("gssl ask"));
  const std::string learners = run_gssl({"help", "learners"}).out;
  for (const auto& learner : json["learners"])
    CHECK_THAT(learners, Contains("  " + learner["name"].get<std::string>() + " "));
  CHECK(run_gssl({"help", "poisson"}).out == run_gssl({"learners", "poisson"}).out);
  CHECK_THAT(run_gssl({"help", "formts"}).err, Contains("formats?"));
  CHECK(run_gssl({"help", "--format", "xml"}).status == 64);
  for (const auto& learner : json["learners"]) CHECK(!learner["kinds"].empty());
}

TEST_CASE("an option of a few words completes to these words", "[manual]") {
  const std::string script = run_gssl({"completions", "bash"}).out;
  const auto described = command_line();
  int seen = 0;
  for (const auto& verb : described["verbs"]) {
    for (const auto& option : verb["options"]) {
      if (option["choices"].empty() || option["positional"]) continue;
      for (const std::string word : option["choices"]) {
        INFO(verb["name"] << " " << option["names"] << " " << word);
        CHECK_THAT(script, Contains(word));
      }
      ++seen;
    }
  }
  CHECK(seen > 30);
}
