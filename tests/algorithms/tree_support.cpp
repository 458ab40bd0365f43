#include "algorithms/tree_support.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>

#include "support/support.hpp"

namespace gssl::test {

namespace {

std::vector<double> level_values(int rows, int columns, int levels, Rng& rng) {
  std::vector<double> values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (double& x : values)
    x = static_cast<double>(rng.below(static_cast<std::uint64_t>(levels))) - levels / 2;
  return values;
}

std::vector<std::string> class_names(int classes) {
  std::vector<std::string> names;
  for (int k = 0; k < classes; ++k) names.push_back("c" + std::to_string(k));
  return names;
}

Dataset read_table(const std::filesystem::path& path, int header) {
  std::ifstream file(path);
  std::string line;
  for (int i = 0; i < header; ++i) std::getline(file, line);
  std::vector<double> values;
  std::vector<std::string> labels;
  while (std::getline(file, line)) {
    std::vector<std::string> cells;
    std::stringstream cut(line);
    for (std::string cell; std::getline(cut, cell, ',');) cells.push_back(cell);
    labels.push_back(cells.back());
    for (std::size_t c = 0; c + 1 < cells.size(); ++c) values.push_back(std::stod(cells[c]));
  }
  const auto rows = static_cast<std::int64_t>(labels.size());
  const auto columns = static_cast<std::int64_t>(values.size()) / rows;
  return make_dataset(Points::dense(rows, columns, std::move(values)), Targets::classes(labels));
}

// One node's rows, with the definition of everything.
class SlowTwin {
 public:
  SlowTwin(const Dataset& data, const TreeOptions& options) : data_(data), options_(options) {
    tree_.columns = data.points.columns();
  }

  DecisionTree grow() {
    std::vector<int> rows;
    for (int r = 0; r < data_.points.rows(); ++r)
      if (data_.weight(r) > 0.0) rows.push_back(r);
    add(rows, 0);
    const auto nodes = static_cast<std::int64_t>(tree_.nodes.size());
    tree_.values = Block(nodes, static_cast<std::int64_t>(answers_.size()) / nodes, answers_);
    return tree_;
  }

 private:
  struct Sums {
    std::vector<double> classes;
    double weight = 0.0, mean = 0.0, risk = 0.0, impurity = 0.0;
  };

  Sums sums(const std::vector<int>& rows) const {
    Sums s;
    s.classes.assign(static_cast<std::size_t>(data_.targets.class_count()), 0.0);
    for (const int r : rows) s.weight += data_.weight(r);
    const auto target = [&](int r) { return data_.targets.values()[static_cast<std::size_t>(r)]; };
    if (data_.targets.is_regression()) {
      for (const int r : rows) s.mean += data_.weight(r) * target(r) / s.weight;
      for (const int r : rows) s.risk += data_.weight(r) * std::pow(target(r) - s.mean, 2);
      s.impurity = s.risk;
      return s;
    }
    for (const int r : rows)
      s.classes[static_cast<std::size_t>(data_.targets.class_of()[static_cast<std::size_t>(r)])] +=
          data_.weight(r);
    s.risk = s.weight - *std::ranges::max_element(s.classes);
    for (const double w : s.classes) {
      const double p = w / s.weight;
      if (options_.impurity == TreeImpurity::gini) s.impurity += s.weight * p * (1.0 - p);
      if (options_.impurity == TreeImpurity::entropy && p > 0.0)
        s.impurity -= s.weight * p * std::log(p);
    }
    if (options_.impurity == TreeImpurity::misclassification) s.impurity = s.risk;
    return s;
  }

  double size(const std::vector<int>& rows) const {
    double all = 0.0;
    for (const int r : rows) all += std::max(1.0, data_.weight(r));
    return all;
  }

  void add(const std::vector<int>& rows, int depth) {
    const auto index = tree_.nodes.size();
    const Sums all = sums(rows);
    tree_.nodes.push_back({.weight = all.weight, .risk = all.risk});
    if (data_.targets.is_regression())
      answers_.push_back(all.mean);
    else
      for (const double w : all.classes) answers_.push_back(w / all.weight);
    if (all.risk <= 1e-13 * all.weight || (options_.depth > 0 && depth >= options_.depth) ||
        size(rows) < static_cast<double>(options_.min_split))
      return;
    TreeNode best;
    std::vector<int> left;
    std::vector<int> right;
    double least = 0.0;
    for (int c = 0; c < data_.points.columns(); ++c) {
      std::vector<double> values;
      for (const int r : rows) values.push_back(data_.points.value(r, c));
      std::ranges::sort(values);
      values.erase(std::unique(values.begin(), values.end()), values.end());
      for (std::size_t i = 0; i + 1 < values.size(); ++i) {
        const double threshold = 0.5 * values[i] + 0.5 * values[i + 1];
        std::vector<int> low;
        std::vector<int> high;
        for (const int r : rows) (data_.points.value(r, c) <= threshold ? low : high).push_back(r);
        if (std::min(size(low), size(high)) < static_cast<double>(options_.min_leaf)) continue;
        const double impurity = sums(low).impurity + sums(high).impurity;
        if (best.column >= 0 && impurity >= least - 1e-10 * all.weight) continue;
        least = impurity;
        best.column = c;
        best.threshold = threshold;
        left = low;
        right = high;
      }
    }
    if (best.column < 0) return;
    tree_.nodes[index].column = best.column;
    tree_.nodes[index].threshold = best.threshold;
    tree_.nodes[index].gain = all.impurity - least;
    add(left, depth + 1);
    tree_.nodes[index].right = static_cast<std::int32_t>(tree_.nodes.size());
    add(right, depth + 1);
  }

  const Dataset& data_;
  TreeOptions options_;
  DecisionTree tree_;
  std::vector<double> answers_;
};

}  // namespace

Dataset random_classes(int rows, int columns, int classes, int levels, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> values = level_values(rows, columns, levels, rng);
  std::vector<int> class_of;
  for (int r = 0; r < rows; ++r) {
    const double x = values[static_cast<std::size_t>(r) * static_cast<std::size_t>(columns)];
    const int rule = static_cast<int>(x + levels) % classes;
    const auto any = static_cast<int>(rng.below(static_cast<std::uint64_t>(classes)));
    class_of.push_back(rng.below(3) == 0 ? any : rule);
  }
  return make_dataset(Points::dense(rows, columns, std::move(values)),
                      Targets::classes(class_of, class_names(classes)));
}

Dataset random_values(int rows, int columns, int levels, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> values = level_values(rows, columns, levels, rng);
  std::vector<double> targets;
  for (int r = 0; r < rows; ++r)
    targets.push_back(values[static_cast<std::size_t>(r) * static_cast<std::size_t>(columns)] +
                      rng.normal());
  return make_dataset(Points::dense(rows, columns, std::move(values)), Targets::reals(targets));
}

Dataset gaussian_groups(int rows, int columns, int classes, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> centers(8 * static_cast<std::size_t>(columns));
  for (double& x : centers) x = rng.normal();
  std::vector<double> values;
  std::vector<int> class_of;
  for (int r = 0; r < rows; ++r) {
    const auto group = static_cast<int>(rng.below(8));
    class_of.push_back(group % classes);
    for (int c = 0; c < columns; ++c)
      values.push_back(centers[static_cast<std::size_t>(group * columns + c)] + rng.normal());
  }
  return make_dataset(Points::dense(rows, columns, std::move(values)),
                      Targets::classes(class_of, class_names(classes)));
}

Dataset shared_table(const std::string& name) {
  const auto path = shared_path("data/points/sklearn/" + name + ".csv");
  return path ? read_table(*path, 1) : Dataset{};
}

Dataset shared_ionosphere() {
  const auto path = shared_path("data/points/ionosphere/ionosphere.data");
  return path ? read_table(*path, 0) : Dataset{};
}

Dataset weighted(const Dataset& data, std::vector<double> weights) {
  return make_dataset(data.points, data.targets, std::move(weights));
}

Dataset sparse(const Dataset& data) {
  return make_dataset(as_sparse(data.points), data.targets, data.weights);
}

double error_of(const Model& model, const Dataset& data) {
  const std::vector<int> said = decide(model.scores(data.points), model.score_kind());
  double wrong = 0.0;
  for (std::size_t r = 0; r < said.size(); ++r)
    wrong += said[r] != data.targets.class_of()[r] ? 1.0 : 0.0;
  return wrong / static_cast<double>(said.size());
}

DecisionTree slow_tree(const Dataset& data, const TreeOptions& options) {
  return SlowTwin(data, options).grow();
}

bool same_tree(const DecisionTree& a, const DecisionTree& b) {
  if (a.nodes.size() != b.nodes.size() || max_difference(a.values, b.values) > 1e-12) return false;
  return std::ranges::equal(a.nodes, b.nodes, [](const TreeNode& x, const TreeNode& y) {
    return x.column == y.column && x.right == y.right && x.threshold == y.threshold &&
           std::abs(x.weight - y.weight) <= 1e-9 && std::abs(x.risk - y.risk) <= 1e-9 &&
           std::abs(x.gain - y.gain) <= 1e-9;
  });
}

}  // namespace gssl::test
