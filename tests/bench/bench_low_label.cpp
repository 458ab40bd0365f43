// Accuracy at very few labels per class, all learners on the same graphs and label sets.
//
// Graph: union of the 10 nearest neighbors with w_uv = ω_uv + ω_vu, ω_uv = exp(−4 d²/d_u²) where v
// is among the neighbors of u and d_u is the distance of u to its 10th, as in the papers. Label set
// s at rate r holds r vertices of each class drawn with Rng(seed, 1000 r + s); every learner sees
// the same sets. Accuracy is over the vertices not given. mnist is MNIST's 10,000 test images and
// digits scikit-learn's 1,797 (../shared/data/points), pixels as they are. usps38 is the 1,200
// threes and eights of USPS' training set with unit weights and, at 1, 2, 4, 8 and 16 labels, at
// most 10 sets: those of ../shared/reference/points, whose accuracies of harmonic are to come out.

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>

#include "gssl/core/number_text.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/graph/knn_graph.hpp"
#include "gssl/graph/knn_lists.hpp"
#include "gssl/io/points_reader.hpp"
#include "gssl/learn/registry.hpp"
#include "harness/accuracy.hpp"
#include "harness/measure.hpp"
#include "harness/program.hpp"

namespace {

using namespace gssl;
constexpr int k = 10;
const std::string shared = GSSL_SHARED_DIR;

struct Data {
  std::string name;
  Graph graph;
  std::vector<int> truth;
  std::vector<std::vector<VertexId>> members;  // of each class
};

// The rows of digits 3 and 8, classes 0 and 1.
Points threes_and_eights(const PointsFile& file, std::vector<int>& truth) {
  std::vector<double> values;
  for (VertexId v = 0; v < file.points.rows(); ++v) {
    const double digit = std::strtod(file.labels[static_cast<std::size_t>(v)].c_str(), nullptr);
    if (digit != 3.0 && digit != 8.0) continue;
    truth.push_back(digit == 3.0 ? 0 : 1);
    for (int j = 0; j < file.points.columns(); ++j) values.push_back(file.points.value(v, j));
  }
  return Points::dense(static_cast<VertexId>(truth.size()), file.points.columns(),
                       std::move(values));
}

Graph paper_graph(const Points& points, const RunContext& run) {
  const KnnLists lists = knn_lists(points, k, {}, run);
  GraphBuilder builder(lists.count, {.duplicates = DuplicatePolicy::sum});
  for (VertexId u = 0; u < lists.count; ++u) {
    const auto distance = lists.distance_row(u);
    for (std::size_t i = 0; i < distance.size(); ++i) {
      const double ratio = distance.back() > 0.0 ? distance[i] / distance.back() : 0.0;
      const VertexId v = lists.row(u)[i];
      builder.add(std::min(u, v), std::max(u, v), std::exp(-4.0 * ratio * ratio));
    }
  }
  return std::move(builder).finish();
}

Data load(const std::string& name, const RunContext& run) {
  const std::string folder = shared + "/data/points/";
  Data data;
  data.name = name;
  if (name == "mnist") {
    const std::string start = folder + "mnist_t10k/t10k-";
    const Points labels = read_points(start + "labels-idx1-ubyte.gz", {}, run).points;
    for (VertexId v = 0; v < labels.rows(); ++v)
      data.truth.push_back(static_cast<int>(labels.value(v, 0)));
    data.graph = paper_graph(read_points(start + "images-idx3-ubyte.gz", {}, run).points, run);
  } else if (name == "digits") {
    const PointsFile file =
        read_points(folder + "sklearn/digits.csv.gz", {.label_column = "65"}, run);
    for (const std::string& label : file.labels)
      data.truth.push_back(static_cast<int>(std::strtod(label.c_str(), nullptr)));
    data.graph = paper_graph(file.points, run);
  } else {
    const PointsFile file =
        read_points(folder + "usps/plain/zip.train.gz", {.label_column = "1"}, run);
    data.graph =
        knn_graph(threes_and_eights(file, data.truth), k, {.weights = {.kind = WeightKind::unit}})
            .graph;
  }
  data.members.resize(static_cast<std::size_t>(1 + std::ranges::max(data.truth)));
  for (std::size_t v = 0; v < data.truth.size(); ++v)
    data.members[static_cast<std::size_t>(data.truth[v])].push_back(static_cast<VertexId>(v));
  return data;
}

// Line `set` of the file of this rate; nothing when there is no such line.
std::vector<VertexId> reference_set(int rate, int set) {
  const std::string path =
      shared + "/reference/points/usps38.labelled_" + std::to_string(rate) + "_per_class.txt";
  std::ifstream file(path);
  std::string line;
  for (int i = 0; i <= set; ++i)
    if (!std::getline(file, line)) return {};
  std::istringstream words(line);
  return {std::istream_iterator<VertexId>(words), {}};
}

LabeledSet draw(const Data& data, int rate, int set, std::uint64_t seed) {
  if (data.name == "usps38") {
    std::vector<VertexId> vertices = reference_set(rate, set);
    std::vector<int> class_of;
    for (const VertexId v : vertices) class_of.push_back(data.truth[static_cast<std::size_t>(v)]);
    return LabeledSet::classes(std::move(vertices), std::move(class_of), {"3", "8"});
  }
  Rng rng(seed, static_cast<std::uint64_t>(1000 * rate + set));
  std::vector<VertexId> vertices;
  std::vector<int> class_of;
  std::vector<std::string> names;
  for (std::size_t c = 0; c < data.members.size(); ++c) {
    names.push_back(std::to_string(c));
    std::vector<VertexId> members = data.members[c];
    shuffle(members, rng);
    for (int i = 0; i < rate; ++i) {
      vertices.push_back(members[static_cast<std::size_t>(i)]);
      class_of.push_back(static_cast<int>(c));
    }
  }
  return LabeledSet::classes(std::move(vertices), std::move(class_of), std::move(names));
}

struct Cell {
  double mean = 0.0;
  double deviation = 0.0;
  double low = 0.0;
  double high = 0.0;
  double seconds = 0.0;  // of processor time, mean
  int unfinished = 0;    // sets where the learner says it did not converge
};

Cell measure(const Data& data, const MadeLearner& learner, int rate, int sets,
             const RunContext& run) {
  std::vector<double> found;
  Cell cell;
  if (data.name == "usps38") sets = std::min(sets, 10);
  for (int set = 0; set < sets; ++set) {
    const LabeledSet labeled = draw(data, rate, set, run.seed);
    const bench::Stopwatch watch;
    const Fit fit = learner.transductive().fit(data.graph, labeled, run);
    cell.seconds += watch.elapsed().cpu / sets;
    found.push_back(bench::accuracy(data.truth, labeled, fit));
    cell.unfinished += !fit.report.converged();
  }
  for (const double value : found) cell.mean += value / sets;
  double squares = 0.0;
  for (const double value : found) squares += (value - cell.mean) * (value - cell.mean);
  cell.deviation = sets > 1 ? std::sqrt(squares / (sets - 1)) : 0.0;
  const auto [low, high] = std::minmax_element(found.begin(), found.end());
  cell.low = *low;
  cell.high = *high;
  return cell;
}

std::string fixed(double value, int decimals) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

// "{priors}" in a SPEC stands for the true class sizes of the data.
std::string with_true_sizes(std::string spec, const Data& data) {
  const std::string mark = "{priors}";
  const auto at = spec.find(mark);
  if (at == std::string::npos) return spec;
  std::string list;
  for (const auto& members : data.members)
    list += (list.empty() ? "" : ";") +
            to_text(static_cast<double>(members.size()) / static_cast<double>(data.truth.size()));
  return spec.replace(at, mark.size(), "mass=priors,priors=" + list);
}

struct Race {
  std::vector<std::string> specs{"harmonic",          "harmonic:mass=cmn",
                                 "local-global",      "nearest-label",
                                 "random-walk",       "wnll",
                                 "properly-weighted", "poisson-reweighted",
                                 "centered-kernel",   "sparse-label-propagation",
                                 "p-eikonal",         "poisson",
                                 "poisson:{priors}",  "modularity-mbo",
                                 "volume-mbo",        "volume-mbo:{priors}",
                                 "poisson-mbo",       "poisson-mbo:{priors}"};
  std::vector<int> rates{1, 2, 3, 4, 5};
  int sets = 20;
  RunContext run;
  std::ostringstream table, page;
};

void race(bench::Results& results, Race& how, const std::string& name) {
  const Data data = load(name, how.run);
  std::cerr << name << ": " << data.graph.vertex_count() << " vertices, " << data.graph.edge_count()
            << " edges, " << connected_components(data.graph).count << " components\n";
  how.page << "| " << name << " |";
  for (const int rate : how.rates) how.page << ' ' << rate << " |";
  how.page << " CPU s |\n|---|";
  for (std::size_t i = 0; i <= how.rates.size(); ++i) how.page << "---|";
  how.page << '\n';
  const LearnerRegistry registry = builtin_learners();
  for (const std::string& spec : how.specs) {
    const MadeLearner learner = registry.make(with_true_sizes(spec, data));
    how.page << "| " << spec << " |";
    double seconds = 0.0;
    for (const int rate : how.rates) {
      const Cell cell = measure(data, learner, rate, how.sets, how.run);
      seconds += cell.seconds / static_cast<double>(how.rates.size());
      how.table << name << '\t' << spec << '\t' << rate << '\t' << fixed(cell.mean, 2) << '\t'
                << fixed(cell.deviation, 2) << '\t' << fixed(cell.low, 2) << '\t'
                << fixed(cell.high, 2) << '\t' << cell.unfinished << '\t' << fixed(cell.seconds, 3)
                << '\n';
      how.page << ' ' << fixed(cell.mean, 1) << " ± " << fixed(cell.deviation, 1)
               << (cell.unfinished > 0 ? "*" : "") << " |";
      results.value(spec + " at " + std::to_string(rate), cell.mean, "% right");
      std::cerr << "    ± " << fixed(cell.deviation, 2) << ", unfinished " << cell.unfinished
                << ", " << fixed(cell.seconds, 2) << " s\n";
    }
    how.page << ' ' << fixed(seconds, 2) << " |\n";
  }
  how.page << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  bench::Program program("bench_low_label", "Accuracy of the learners at few labels per class");
  Race how;
  std::string tsv, markdown;
  CLI::App& options = program.options();
  options.add_option("--learners", how.specs, "SPECs; {priors} gives the true class sizes");
  options.add_option("--rates", how.rates, "labels per class")->delimiter(',');
  options.add_option("--sets", how.sets, "random label sets")->check(CLI::Range(1, 900));
  options.add_option("--tsv", tsv, "write the table here");
  options.add_option("--markdown", markdown, "write it for a page here");
  options.add_option("--threads", how.run.threads);
  options.add_option("--seed", how.run.seed);
  const auto add = [&](const std::string& name, const char* about, bench::Program::Runs runs) {
    program.add(
        name, about, [&, name](bench::Results& results) { race(results, how, name); }, runs);
  };
  using enum bench::Program::Runs;
  add("mnist", "MNIST's 10,000 test images", by_default);
  add("digits", "scikit-learn's 1,797 digits", by_default);
  add("usps38", "the 1,200 threes and eights of USPS' training set", when_named);
  const int status = program.run(argc, argv);
  const std::string head =
      "data\tlearner\tlabels_per_class\tmean\tsd\tmin\tmax\tunfinished\tcpu_seconds\n";
  if (!tsv.empty()) std::ofstream(tsv) << head << how.table.str();
  if (!markdown.empty()) std::ofstream(markdown) << how.page.str();
  return status;
}
