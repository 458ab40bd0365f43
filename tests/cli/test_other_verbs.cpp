// info, convert, learners, completions, help and version.

#include <sstream>

#include "gssl/learn/registry.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
using Catch::Contains;

namespace {

const std::vector<std::string> verbs = {
    "label",      "build",  "explain", "ask",     "cluster",  "spectrum",    "cut",
    "resistance", "kernel", "info",    "convert", "learners", "completions", "complete",
};

// The lines under "Examples:", without their indent.
std::vector<std::string> examples_of(const std::string& help) {
  std::vector<std::string> found;
  std::istringstream text(help);
  bool continues = false;  // the line before ends in a backslash
  for (std::string line; std::getline(text, line);) {
    if (continues) {
      found.back() += "\n" + line;
    } else if (line.starts_with("  ") && line.find("gssl ") != std::string::npos &&
               help.find("Examples:") < help.find(line)) {
      found.push_back(line.substr(2));
    } else {
      continue;
    }
    continues = line.ends_with('\\');
  }
  return found;
}

}  // namespace

TEST_CASE("gssl --version and --help print to standard output and exit 0") {
  const Result version = run_gssl({"--version"});
  CHECK(version.status == 0);
  CHECK(version.out.starts_with("gssl "));
  const Result help = run_gssl({"--help"});
  CHECK(help.status == 0);
  CHECK(help.err.empty());
  for (const std::string& verb : verbs) CHECK(help.out.find("  " + verb) != std::string::npos);
}

TEST_CASE("every example printed by --help runs", "[large]") {
  for (const std::string& verb : verbs) {
    const auto examples = examples_of(run_gssl({verb, "--help"}).out);
    CHECK(examples.size() >= 2);
    for (const std::string& example : examples) {
      INFO(example);
      const TemporaryDirectory dir;
      std::filesystem::create_directory_symlink(source_path("datasets"), dir.path() / "datasets");
      const Result r = run_shell(example, {.directory = dir.path().string()});
      INFO(r.err);
      CHECK(r.status == 0);
    }
  }
}

TEST_CASE("info of a hand-checked graph") {
  const TemporaryDirectory dir;
  // a - b - c, and d - e; weights 1, 2, 4
  const Result r = run_gssl({"info", dir.file("g", "a b 1\nb c 2\nd e 4\n")});
  REQUIRE(r.status == 0);
  for (const char* row :
       {"vertices\t5\n", "edges\t3\n", "density\t0.3\n", "components\t2\n",
        "largest_component\t3\n", "isolated\t0\n", "degree_min\t1\n", "degree_median\t1\n",
        "degree_mean\t1.2\n", "degree_max\t2\n", "weights\treal\n", "weight_min\t1\n",
        "weight_median\t2\n", "weight_max\t4\n", "weight_total\t7\n"}) {
    INFO(row);
    CHECK(r.out.find(row) != std::string::npos);
  }
}

TEST_CASE("info tells the wide diameter where it is asked for") {
  const TemporaryDirectory dir;
  // A ring of five: two paths join any two vertices, the longer one of at most four edges.
  const std::string ring = dir.file("ring", "a b\nb c\nc d\nd e\ne a\n");
  const Result told = run_gssl({"info", ring, "--wide-diameter"});
  CHECK_THAT(told.out, Contains("wide_paths\t2\n") && Contains("wide_length\t4\n"));
  CHECK_THAT(run_gssl({"info", ring}).out, !Contains("wide_paths"));
  CHECK(run_gssl({"info", dir.file("parts", "a b\nc d\n"), "--wide-diameter"}).status == 65);
}

TEST_CASE("info of an empty graph is all zeros") {
  const TemporaryDirectory dir;
  const Result r = run_gssl({"info", dir.file("g", "")});
  CHECK(r.status == 0);
  CHECK(r.out.find("vertices\t0\n") != std::string::npos);
  CHECK(r.out.find("components\t0\n") != std::string::npos);
}

TEST_CASE("convert there and back keeps the graph and its names") {
  const TemporaryDirectory dir;
  const std::string text = "u\tv\tweight\nann\tbob\t2\nbob\tcid\t3\n";
  const std::string graph = dir.file("g", text);
  const std::string mtx = (dir.path() / "g.mtx").string();
  const std::string metis = (dir.path() / "g.graph").string();
  CHECK(run_gssl({"convert", graph, mtx}).status == 0);
  CHECK(read_file(mtx).starts_with("%%MatrixMarket"));
  CHECK(run_gssl({"convert", mtx, "-"}).out == text);
  CHECK(run_gssl({"convert", mtx, metis}).status == 0);
  CHECK(run_gssl({"convert", metis, "-"}).out == text);
  const std::string csv = (dir.path() / "g.csv").string();
  CHECK(run_gssl({"convert", metis, csv}).status == 0);
  CHECK(read_file(csv) == "u,v,weight\nann,bob,2\nbob,cid,3\n");
  CHECK(run_gssl({"convert", metis, csv, "--format", "tsv"}).status == 0);
  CHECK(read_file(csv) == text);
  CHECK(run_gssl({"convert", dir.file("h", "a b 0.5\n"), metis}).status == 65);
  CHECK(run_gssl({"convert", graph, graph}).status == 64);
}

TEST_CASE("a graph is not written under the name of a format that is not written") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b\n");
  const std::string points = dir.file("p.csv", "1,2\n3,4\n5,6\n");
  for (const char* name : {"o.net", "o.json", "o.parquet", "o.npz", "o.NT", "o.v2"}) {
    INFO(name);
    const std::string path = (dir.path() / name).string();
    const Result r = run_gssl({"convert", graph, path});
    CHECK(r.status == 64);
    CHECK(r.err.find(".mtx") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(path));
    CHECK(run_gssl({"build", points, "--mst", "-o", path}).status == 64);
    CHECK(run_gssl({"convert", graph, path, "--output-format", "edge-list"}).status == 0);
    CHECK(read_file(path) == "u\tv\na\tb\n");
  }
  for (const char* format : {"edge-list", "metis"})
    CHECK(run_gssl({"convert", graph, (dir.path() / "o.gz").string(), "--to", format}).status ==
          64);
  const std::string mtx = (dir.path() / "o.mtx").string();
  CHECK(run_gssl({"build", points, "--mst", "--weights", "unit", "-o", mtx}).status == 0);
  CHECK(read_file(mtx).starts_with("%%MatrixMarket"));
  CHECK(run_gssl({"convert", mtx, "-"}).out == "u\tv\n0\t1\n1\t2\n");
}

TEST_CASE("learners lists every learner and describes each with its options") {
  const std::string all = run_gssl({"learners"}).out;
  const gssl::LearnerRegistry registry = gssl::builtin_learners();
  for (const auto& entry : registry.entries()) {
    INFO(entry->name);
    const std::string kind(to_string(entry->kinds().front()));
    CHECK(all.find("\n" + entry->name + "\t" + kind) != std::string::npos);
    CHECK(all.find("\t" + entry->summary + "\n") != std::string::npos);
    const Result one = run_gssl({"learners", entry->name});
    CHECK(one.status == 0);
    for (const auto& option : entry->options.specs()) {
      INFO(option.name);
      CHECK(one.out.find("\n  " + option.name) != std::string::npos);
      CHECK(one.out.find(option.help) != std::string::npos);
    }
  }
  const Result near = run_gssl({"learners", "harmonics"});
  CHECK(near.status == 64);
  CHECK(near.err.find("harmonic") != std::string::npos);
}

TEST_CASE("completion scripts are sound and know verbs, options and learners") {
  const TemporaryDirectory dir;
  for (const char* shell : {"bash", "zsh", "fish"}) {
    INFO(shell);
    const Result r = run_gssl({"completions", shell});
    CHECK(r.status == 0);
    for (const char* word : {"label", "convert", "unknown-labels", "harmonic", "matrix-market"}) {
      INFO(word);
      CHECK(r.out.find(word) != std::string::npos);
    }
    const std::string path = dir.file(shell, r.out);
    CHECK(run_shell("command -v " + std::string(shell) + " >/dev/null || exit 0; " + shell +
                    " -n '" + path + "'")
              .status == 0);
  }
  const auto completed = [&](const std::string& words) {
    return run_shell("bash -c '. " + (dir.path() / "bash").string() + "; COMP_WORDS=(gssl " +
                     words + "); COMP_CWORD=3; _gssl; echo \"${COMPREPLY[@]}\"'")
        .out;
  };
  CHECK(completed("label --method har") == "harmonic\n");
  CHECK(completed("cluster --method sp") == "spectral\n");
  CHECK(completed("complete --method so") == "soft-impute\n");
  if (run_shell("command -v fish").status == 0)
    CHECK(run_shell("fish -c 'source " + (dir.path() / "fish").string() +
                    "; complete -C \"gssl label --method har\"'")
              .out.starts_with("harmonic"));
}

TEST_CASE("a plug-in's learner is listed, described, completed and run like any other") {
  const TemporaryDirectory dir;
  const std::string plugin = built_module("gssl_example_plugin");
  CHECK(run_gssl({"learners"}).out.find("\nmajority\t") == std::string::npos);
  CHECK(run_gssl({"learners", "--plugin", plugin}).out.find("\nmajority\t") != std::string::npos);
  CHECK(run_gssl({"learners", "--plugin", plugin, "majority"}).out.starts_with("majority: "));
  CHECK(run_gssl({"completions", "bash", "--plugin", plugin}).out.find("majority") !=
        std::string::npos);
  const Result r = run_gssl({"label", "--plugin", plugin, dir.file("g", "a b\nb c\n"),
                             dir.file("l", "a x\n"), "--method", "majority"});
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK(r.out.find("a\tx\t1\tgiven\n") != std::string::npos);
  CHECK(run_gssl({"learners", "--plugin", built_module("gssl_plugin_other_abi")}).status == 65);
}

TEST_CASE("a plug-in's learner that breaks its promises is bad data, named, and leaves no file") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b\nb c\nc d\nd e\ne f\nf g\ng h\n");
  const std::string labels = dir.file("l", "a x\nh y\n"), out = (dir.path() / "o").string();
  const std::string plugin = built_module("gssl_plugin_broken_promises");
  const auto label = [&](const std::string& method) {
    return run_gssl({"label", "--plugin", plugin, graph, labels, "--method", method, "-o", out});
  };
  CHECK(label("honest").status == 0);
  std::filesystem::remove(out);
  for (const char* method : {"few-decisions", "half-status", "row-missing", "class-99", "nan-score",
                             "confidence-7", "throws-42", "no-learner"}) {
    const Result r = label(method);
    INFO(r.err);
    CHECK(r.status == 65);
    CHECK(r.err.find("plug-in " + plugin + ", learner " + method + ": ") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(out));
  }
  const Result asked = run_gssl({"ask", "--plugin", plugin, graph, labels, "--criterion", "margin",
                                 "--method", "row-missing"});
  INFO(asked.err);
  CHECK(asked.status == 65);
}
