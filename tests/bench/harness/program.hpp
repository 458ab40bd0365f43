#pragma once
// One way of measuring: a bench is a list of named cases; what they find stands beside a peer's in
// the same run, on the screen and, if asked for, in a file that tests/bench/watch reads.
//
//   int main(int argc, char** argv) {
//     gssl::bench::Program program("bench_cut", "Minimum cuts beside Boost's");
//     program.add("moons100k", "k-NN graph of two moons", [](gssl::bench::Results& results) {
//       results.beside("hard", "Boost push_relabel", ours_seconds, their_seconds);
//     });
//     return program.run(argc, argv);
//   }
//
//   bench_cut --list                     the cases, and which run when none is named
//   bench_cut moons100k --json out.json  {"bench": …, "figures": [{"case", "figure", "unit", "ours",
//                                        "peer", "theirs", "ratio"}, …], "absent": […]}

#include <CLI/App.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gssl::bench {

class Results {
 public:
  // What we took beside what the peer took in this run, less being better. Prints both and the
  // ratio.
  void beside(const std::string& figure, const std::string& peer, double ours, double theirs,
              const std::string& unit = "s");
  // A figure with no peer.
  void value(const std::string& figure, double ours, const std::string& unit);
  // A peer that this machine does not have; said once for each run.
  void absent(const std::string& peer, const std::string& package);

 private:
  friend class Program;
  void enter(nlohmann::json figure);

  std::string case_;
  nlohmann::json figures_ = nlohmann::json::array();
  nlohmann::json absent_ = nlohmann::json::array();
};

class Program {
 public:
  Program(std::string name, const std::string& about);

  // For options of this bench alone.
  CLI::App& options() { return app_; }

  enum class Runs { by_default, when_named };
  void add(const std::string& name, const std::string& about, std::function<void(Results&)> body,
           Runs runs = Runs::by_default);
  // A flag that stands for the names of these cases.
  void add_flag(const std::string& flag, const std::string& about, std::vector<std::string> cases);

  // Reads the command line, runs the cases named, or those that run by default, in the order in
  // which they were added, and writes the file of --json. Exit status: 0; 64 for a wrong command
  // line; 70 if a case threw.
  int run(int argc, char** argv);

 private:
  struct Case {
    std::string name, about;
    std::function<void(Results&)> body;
    Runs runs;
  };

  void print_list() const;
  void run_cases();

  std::string name_;
  CLI::App app_;
  std::vector<Case> cases_;
  std::vector<std::string> named_, flagged_;
  std::string json_;
  bool list_ = false;
  Results results_;
};

}  // namespace gssl::bench
