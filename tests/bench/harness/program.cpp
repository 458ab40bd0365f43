#include "program.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <utility>

namespace gssl::bench {

void Results::enter(nlohmann::json figure) {
  figure["case"] = case_;
  figures_.push_back(std::move(figure));
  std::fflush(stdout);
}

void Results::beside(const std::string& figure, const std::string& peer, double ours, double theirs,
                     const std::string& unit) {
  const double ratio = ours / theirs;
  std::printf("%-14s %-28s ours %10.4g %-6s %s %.4g   ratio %.3f\n", case_.c_str(), figure.c_str(),
              ours, unit.c_str(), peer.c_str(), theirs, ratio);
  enter({{"figure", figure},
         {"unit", unit},
         {"ours", ours},
         {"peer", peer},
         {"theirs", theirs},
         {"ratio", ratio}});
}

void Results::value(const std::string& figure, double ours, const std::string& unit) {
  std::printf("%-14s %-28s ours %10.4g %s\n", case_.c_str(), figure.c_str(), ours, unit.c_str());
  enter({{"figure", figure}, {"unit", unit}, {"ours", ours}});
}

void Results::absent(const std::string& peer, const std::string& package) {
  if (std::find(absent_.begin(), absent_.end(), nlohmann::json(peer)) != absent_.end()) return;
  std::printf("%s is not here (%s); its figures are left out\n", peer.c_str(), package.c_str());
  absent_.push_back(peer);
}

Program::Program(std::string name, const std::string& about)
    : name_(std::move(name)), app_(about, name_) {
  app_.set_help_flag("-h,--help", "print this help and exit");
  app_.add_option("case", named_, "cases by name; see --list")->type_name("CASE");
  app_.add_flag("--list", list_, "print the cases and exit; * marks those that run by default");
  app_.add_option("--json", json_, "also write the figures to FILE")->type_name("FILE");
}

void Program::add(const std::string& name, const std::string& about,
                  std::function<void(Results&)> body, Runs runs) {
  cases_.push_back({name, about, std::move(body), runs});
}

void Program::add_flag(const std::string& flag, const std::string& about,
                       std::vector<std::string> cases) {
  app_.add_flag_callback(
      flag,
      [this, names = std::move(cases)] {
        flagged_.insert(flagged_.end(), names.begin(), names.end());
      },
      about);
}

void Program::print_list() const {
  for (const Case& one : cases_)
    std::printf("%c %-20s %s\n", one.runs == Runs::by_default ? '*' : ' ', one.name.c_str(),
                one.about.c_str());
}

void Program::run_cases() {
  for (const Case& one : cases_) {
    const bool wanted =
        named_.empty() ? one.runs == Runs::by_default : std::ranges::count(named_, one.name) > 0;
    if (!wanted) continue;
    results_.case_ = one.name;
    one.body(results_);
  }
}

int Program::run(int argc, char** argv) try {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // a run may be ended early
  try {
    app_.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app_.exit(error) == 0 ? 0 : 64;
  }
  named_.insert(named_.end(), flagged_.begin(), flagged_.end());
  for (const std::string& name : named_)
    if (std::ranges::count(cases_, name, &Case::name) == 0)
      return std::fprintf(stderr, "%s: no case '%s'; see --list\n", name_.c_str(), name.c_str()),
             64;
  if (list_) return print_list(), 0;
  run_cases();
  if (json_.empty()) return 0;
  std::ofstream out(json_);
  out << nlohmann::json{{"bench", name_},
                        {"figures", results_.figures_},
                        {"absent", results_.absent_}}
             .dump(1)
      << '\n';
  if (!out.flush()) return std::fprintf(stderr, "%s: cannot be written\n", json_.c_str()), 73;
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s: %s\n", name_.c_str(), error.what());
  return 70;
}

}  // namespace gssl::bench
