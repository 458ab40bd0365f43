// Accuracy of the learners of one solve or two, and of `auto`, which chooses among them, on random
// label sets of many data sets, which are the cases.
//
// Label set s at rate r and ratio q has r labels of each class, but q·r of class s mod K; a class
// keeps at least half of its vertices without. It is drawn with Rng(seed, 1000 r + s), and every
// learner sees the same sets. Accuracy is the share right of the vertices with a truth that are not
// given, in percent; an unreached one is wrong. Points: union of the 10 nearest neighbors with the
// weights that `gssl build --knn 10` gives; features as they are.
//
// Prints for each rate and ratio the mean of every learner over the data sets, its mean of each,
// and how far `auto` is from the best and above harmonic; --tsv has a line for each label set.

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <numeric>

#include "gssl/graph/knn_graph.hpp"
#include "gssl/io/graph_reader.hpp"
#include "gssl/io/label_reader.hpp"
#include "gssl/io/points_reader.hpp"
#include "gssl/learn/registry.hpp"
#include "harness/accuracy.hpp"
#include "harness/measure.hpp"
#include "harness/program.hpp"

namespace {

using namespace gssl;

struct Data {
  std::string name;
  Graph graph;
  std::vector<int> truth;                      // −1: unknown
  std::vector<std::vector<VertexId>> members;  // of each class
};

struct Source {
  std::string name;
  enum class Kind { edges, plain_edges, points, idx } kind;
  std::string path;    // of edges, of points, or what both idx files begin with
  std::string labels;  // of edges; the column of points
};

const std::string bundled = GSSL_DATASETS_DIR "/";
const std::string shared = GSSL_SHARED_DIR "/data/";

Source plain_graph(const std::string& name) {
  const std::string start = shared + "graphs/" + name + "/plain/" + name;
  return {name, Source::Kind::plain_edges, start + ".edges.txt", start + ".labels.txt"};
}
Source book(const std::string& name) {
  return {name, Source::Kind::points, shared + "points/ssl_book/plain/" + name + ".csv.gz", "1"};
}
Source shared_points(const std::string& name, const std::string& path, const std::string& column) {
  return {name, Source::Kind::points, shared + "points/" + path, column};
}

std::vector<Source> sources() {
  using enum Source::Kind;
  return {{"digits", edges, bundled + "digits/edges.tsv", bundled + "digits/truth.tsv"},
          {"mnist", idx, shared + "points/mnist_t10k/t10k-", ""},
          shared_points("usps", "usps/plain/zip.train.gz", "1"),
          plain_graph("cora"),
          plain_graph("polblogs"),
          book("usps2_5_vs_rest"),
          book("digit1"),
          book("g241c"),
          book("bci"),
          plain_graph("eu-core"),
          plain_graph("football"),
          plain_graph("polbooks"),
          plain_graph("news_2cl_1"),
          plain_graph("news_3cl_1_0.1"),
          plain_graph("yeast_ppi"),
          {"breast_cancer", edges, bundled + "breast_cancer/edges.tsv",
           bundled + "breast_cancer/truth.tsv"},
          {"wine", edges, bundled + "wine/edges.tsv", bundled + "wine/truth.tsv"},
          shared_points("ionosphere", "ionosphere/ionosphere.data", "35"),
          shared_points("spambase", "spambase/spam.data", "58"),
          shared_points("mushroom", "mushroom/agaricus.txt.train", ""),
          shared_points("heart", "heart_scale/heart_scale", "")};
}

// Classes numbered in order of their names; "-1" in a plain file is no class.
void take_truth(Data& data, const std::vector<std::string>& labels, bool plain) {
  std::map<std::string, int> number;
  for (const std::string& label : labels)
    if (!label.empty() && !(plain && label == "-1")) number[label] = 0;
  int next = 0;
  for (auto& [label, k] : number) k = next++;
  data.members.resize(static_cast<std::size_t>(next));
  data.truth.assign(labels.size(), -1);
  for (std::size_t v = 0; v < labels.size(); ++v) {
    const auto found = number.find(labels[v]);
    if (found == number.end()) continue;
    data.truth[v] = found->second;
    data.members[static_cast<std::size_t>(found->second)].push_back(static_cast<VertexId>(v));
  }
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

Data load(const Source& source, const RunContext& run) {
  Data data;
  data.name = source.name;
  if (source.kind == Source::Kind::edges || source.kind == Source::Kind::plain_edges) {
    GraphFile file = read_graph(source.path, {}, run);
    std::vector<std::string> labels(static_cast<std::size_t>(file.graph.vertex_count()));
    const bool plain = source.kind == Source::Kind::plain_edges;
    if (plain) {  // line v has the class of vertex v
      const std::vector<std::string> lines = lines_of(source.labels);
      for (VertexId v = 0; v < file.graph.vertex_count(); ++v)
        labels[static_cast<std::size_t>(v)] =
            lines.at(static_cast<std::size_t>(std::stoi(file.names.name(v))));
    } else {
      const LabelFile truth =
          read_labels(source.labels, file.names, {.unknown = UnknownLabels::ignore});
      for (std::size_t i = 0; i < truth.vertices.size(); ++i)
        labels[static_cast<std::size_t>(truth.vertices[i])] = truth.labels[i];
    }
    take_truth(data, labels, plain);
    data.graph = std::move(file.graph);
    return data;
  }
  Points points;
  std::vector<std::string> labels;
  if (source.kind == Source::Kind::idx) {
    const Points classes = read_points(source.path + "labels-idx1-ubyte.gz", {}, run).points;
    for (VertexId v = 0; v < classes.rows(); ++v)
      labels.push_back(std::to_string(static_cast<int>(classes.value(v, 0))));
    points = read_points(source.path + "images-idx3-ubyte.gz", {}, run).points;
  } else {
    PointsFile file = read_points(source.path, {.label_column = source.labels}, run);
    labels = std::move(file.labels);
    points = std::move(file.points);
  }
  take_truth(data, labels, false);
  data.graph = knn_graph(points, 10, {}, run).graph;
  return data;
}

LabeledSet draw(const Data& data, int rate, int ratio, int set, std::uint64_t seed) {
  Rng rng(seed, static_cast<std::uint64_t>(1000 * rate + set));
  std::vector<VertexId> vertices;
  std::vector<int> class_of;
  std::vector<std::string> names;
  const std::size_t often = static_cast<std::size_t>(set) % data.members.size();
  for (std::size_t c = 0; c < data.members.size(); ++c) {
    names.push_back(std::to_string(c));
    std::vector<VertexId> members = data.members[c];
    shuffle(members, rng);
    const std::size_t wanted = static_cast<std::size_t>(rate * (c == often ? ratio : 1));
    const std::size_t given = std::min(wanted, std::max<std::size_t>(1, members.size() / 2));
    for (std::size_t i = 0; i < given; ++i) {
      vertices.push_back(members[i]);
      class_of.push_back(static_cast<int>(c));
    }
  }
  return LabeledSet::classes(std::move(vertices), std::move(class_of), std::move(names));
}

struct Table {
  std::vector<std::string> learners;
  // [rate, ratio] → data → learner → mean accuracy
  std::map<std::pair<int, int>, std::map<std::string, std::map<std::string, double>>> mean;
  std::map<std::string, double> seconds;  // of processors, of all fits
  std::map<std::string, int> fits;
};

double over_data(const std::map<std::string, std::map<std::string, double>>& cells,
                 const std::string& learner) {
  double sum = 0.0;
  for (const auto& [data, of] : cells) sum += of.at(learner);
  return sum / static_cast<double>(cells.size());
}

void print(const Table& table) {
  for (const auto& [setting, cells] : table.mean) {
    std::printf("\n%d labels a class", setting.first);
    if (setting.second > 1) std::printf(", one class %d times as often", setting.second);
    std::printf("\n| learner | mean |");
    for (const auto& [data, of] : cells) std::printf(" %s |", data.c_str());
    std::printf("\n|---|---|");
    for (std::size_t i = 0; i < cells.size(); ++i) std::printf("---|");
    double best = 0.0;
    for (const std::string& learner : table.learners) {
      const double mean = over_data(cells, learner);
      if (learner != "auto") best = std::max(best, mean);
      std::printf("\n| `%s` | %.1f |", learner.c_str(), mean);
      for (const auto& [data, of] : cells) std::printf(" %.1f |", of.at(learner));
    }
    const auto has = [&](const char* name) { return std::ranges::count(table.learners, name) > 0; };
    if (has("auto"))
      std::printf("\nauto − best fixed learner: %.1f", over_data(cells, "auto") - best);
    if (has("auto") && has("harmonic")) {
      double least = 100.0;
      for (const auto& [data, of] : cells)
        least = std::min(least, of.at("auto") - of.at("harmonic"));
      std::printf("; auto − harmonic, least of the data sets: %.1f", least);
    }
    std::printf("\n");
  }
  std::printf("\nprocessor seconds of a fit, mean:");
  for (const std::string& learner : table.learners)
    std::printf(" %s %.4f", learner.c_str(), table.seconds.at(learner) / table.fits.at(learner));
  std::printf("\n");
}

struct Race {
  std::vector<int> rates{1, 2, 5, 20};
  std::vector<int> ratios{1, 10};
  int sets = 20;
  RunContext run;
  std::ofstream lines;  // of --tsv
};

void race(bench::Results& results, Race& how, Table& table, const Source& source) {
  const Data data = load(source, how.run);
  std::cerr << source.name << ": " << data.graph.vertex_count() << " vertices, "
            << data.graph.edge_count() << " edges, " << data.members.size() << " classes\n";
  const LearnerRegistry registry = builtin_learners();
  for (const std::string& spec : table.learners) {
    const MadeLearner learner = registry.make(spec);
    for (const int rate : how.rates)
      for (const int ratio : how.ratios) {
        double& mean = table.mean[{rate, ratio}][source.name][spec];
        for (int set = 0; set < how.sets; ++set) {
          const LabeledSet labeled = draw(data, rate, ratio, set, how.run.seed);
          const bench::Stopwatch watch;
          const Fit fit = learner.transductive().fit(data.graph, labeled, how.run);
          const double seconds = watch.elapsed().cpu;
          const double found = bench::accuracy(data.truth, labeled, fit);
          mean += found / how.sets;
          table.seconds[spec] += seconds;
          ++table.fits[spec];
          if (how.lines.is_open())
            how.lines << source.name << '\t' << spec << '\t' << rate << '\t' << ratio << '\t' << set
                      << '\t' << found << '\t' << seconds << '\t' << fit.report.sentence << '\n';
        }
        results.value(spec + " at " + std::to_string(rate) + (ratio > 1 ? " and " : "") +
                          (ratio > 1 ? std::to_string(rate * ratio) : ""),
                      mean, "% right");
      }
  }
}

}  // namespace

int main(int argc, char** argv) {
  bench::Program program("bench_auto", "Accuracy of auto and of the learners it chooses among");
  const std::vector<std::string> usual{"digits", "mnist",    "usps",
                                       "cora",   "polblogs", "usps2_5_vs_rest"};
  Table table;
  table.learners = {"harmonic",           "harmonic:mass=cmn", "poisson",      "wnll",
                    "poisson-reweighted", "random-walk",       "local-global", "auto"};
  Race how;
  std::string tsv;
  CLI::App& options = program.options();
  options.add_option("--learners", table.learners, "learner SPECs");
  options.add_option("--rates", how.rates, "labels a class")->delimiter(',');
  options.add_option("--ratios", how.ratios, "how often one class is labeled, beside the others")
      ->delimiter(',');
  options.add_option("--sets", how.sets, "random label sets")->check(CLI::Range(1, 900));
  options.add_option("--tsv", tsv, "write a line for each label set here");
  options.add_option("--threads", how.run.threads);
  options.add_option("--seed", how.run.seed);
  const std::vector<Source> all = sources();
  for (const Source& source : all)
    program.add(
        source.name, source.path,
        [&](bench::Results& results) {
          if (!tsv.empty() && !how.lines.is_open()) {
            how.lines.open(tsv);
            how.lines << "data\tlearner\trate\tratio\tset\taccuracy\tcpu_seconds\tsentence\n";
          }
          race(results, how, table, source);
        },
        std::ranges::count(usual, source.name) > 0 ? bench::Program::Runs::by_default
                                                   : bench::Program::Runs::when_named);
  const int status = program.run(argc, argv);
  if (!table.mean.empty()) print(table);
  return status;
}
