#!/usr/bin/env bash
# Begins a learner: a header, a source and a test, and their lines in the lists. It compiles and
# keeps the contract of its kind.
#   tools/new-learner.sh KIND NAME      KIND: transductive, inductive or online; NAME: my-learner
# What it writes learns next to nothing (class frequencies); put the method in its place, then add a
# line to CHANGELOG.md. The contract test of its kind finds the learner by itself.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 64; }
[ "$#" -eq 2 ] || usage
kind="$1" name="$2"
[[ "$name" =~ ^[a-z][a-z0-9]*(-[a-z0-9]+)*$ ]] || { echo "NAME $name: lower-case words joined by '-'" >&2; exit 64; }
case "$kind" in
  transductive) folder=transductive base=TransductiveLearner ;;
  inductive) folder=batch base=InductiveLearner ;;
  online) folder=online base=OnlineLearner ;;
  *) usage ;;
esac

snake="${name//-/_}"
camel="$(sed -E 's/(^|_)([a-z0-9])/\U\2/g' <<< "$snake")"
header="algorithms/include/gssl/$folder/$snake.hpp"
source="algorithms/src/$folder/$snake.cpp"
test="tests/algorithms/test_$snake.cpp"
for file in "$header" "$source" "$test"; do
  [ ! -e "$file" ] || { echo "$file exists: choose another name" >&2; exit 64; }
done

# The methods that the contract of each kind asks for: in the header, and in the source.
case "$kind" in
  transductive)
    declared='  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;'
    defined="Fit ${camel}Learner::fit(const Graph& graph, const LabeledSet& labeled,
  const RunContext& run) const {
  detail::check_problem(\"$name\", graph, labeled, detail::Regression::unsupported);
  const VertexId n = graph.vertex_count();
  const Components components = connected_components(graph);
  const auto component = [&](VertexId v) { return components.of[static_cast<std::size_t>(v)]; };
  Block shares(components.count, labeled.class_count());
  for (std::size_t i = 0; i < labeled.size(); ++i)
    shares(component(labeled.vertices()[i]), labeled.class_of()[i]) += 1.0;
  for (VertexId c = 0; c < components.count; ++c) {
    double labels = 0.0;
    for (const double count : shares.row(c)) labels += count;
    if (labels == 0.0) continue;
    for (double& share : shares.row(c)) share /= labels;
  }
  Block scores(n, labeled.class_count());
  for (VertexId v = 0; v < n; ++v)
    std::ranges::copy(shares.row(component(v)), scores.row(v).begin());
  detail::set_given_rows(scores, labeled, run.thread_count());
  Report report;
  report.requested = report.used = \"counting\";
  report.sentence = \"counted the labels of each component\";
  const std::vector<VertexId> unreached = detail::unreached_vertices(components, labeled);
  return detail::finish_fit(std::move(scores), detail::vertex_status(n, labeled, unreached), labeled,
                            detail::GivenLabels::hard, std::move(report));
}"
    factory="entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<${camel}Learner>(${snake}_binding().from(values));
  };"
    includes='#include <algorithm>
#include <utility>

#include "gssl/core/option_binding.hpp"
#include "gssl/graph/components.hpp"
#include "support/check_problem.hpp"
#include "support/finish_fit.hpp"
#include "support/given_rows.hpp"
#include "support/vertex_status.hpp"'
    asked='CHECK(made("'$name'").transductive().fit(path_graph(3), classes({0}, {0}, 1)).decision ==
        std::vector<int>{0, 0, 0});'
    test_includes='#include "fixtures.hpp"
#include "gssl/graph/generators.hpp"' ;;
  inductive)
    declared='  Trained fit(const Dataset& data, const RunContext& run = {}) const override;'
    defined="Trained ${camel}Learner::fit(const Dataset& data, const RunContext&) const {
  check_targets(\"$name\", data, true, false);
  std::vector<double> shares(static_cast<std::size_t>(data.targets.class_count()), 0.0);
  double total = 0.0;
  for (std::size_t r = 0; r < data.targets.size(); ++r) {
    const double weight = data.weight(static_cast<std::int64_t>(r));
    shares[static_cast<std::size_t>(data.targets.class_of()[r])] += weight;
    total += weight;
  }
  for (double& share : shares) share /= total;
  return {std::make_unique<${camel}Model>(std::move(shares), data.points.columns()), {}};
}"
    model="class ${camel}Model final : public Model {
 public:
  ${camel}Model(std::vector<double> shares, std::int64_t columns)
      : shares_(std::move(shares)), columns_(columns) {}

  Block scores(const Points& points, const RunContext&) const override {
    check_columns(\"$name\", points, columns_);
    Block scores(points.rows(), static_cast<std::int64_t>(shares_.size()));
    for (std::int64_t r = 0; r < scores.rows(); ++r) std::ranges::copy(shares_, scores.row(r).begin());
    return scores;
  }
  ScoreKind score_kind() const override { return ScoreKind::shares; }
  void save(Record& record) const override {
    record.put(\"shares\", shares_);
    record.put(\"columns\", columns_);
  }

 private:
  std::vector<double> shares_;
  std::int64_t columns_;
};

std::unique_ptr<Model> load(const Record& record) {
  return std::make_unique<${camel}Model>(record.reals(\"shares\"), record.integer(\"columns\"));
}
"
    factory="entry.make_inductive = [](const OptionValues& values) {
    return std::make_unique<${camel}Learner>(${snake}_binding().from(values));
  };
  entry.load_model = load;"
    includes='#include <algorithm>

#include "gssl/core/option_binding.hpp"'
    asked='const Dataset data = make_dataset(Points::dense(1, 1, std::vector<double>{0.0}),
                                    Targets::classes(std::vector<std::string>{"a"}));
  CHECK(made("'$name'").inductive().fit(data).model->scores(data.points)(0, 0) == 1.0);'
    test_includes='#include "fixtures.hpp"' ;;
  online)
    declared='  InstanceKind instance_kind() const override { return InstanceKind::row; }
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;'
    model="class ${camel}Session final : public detail::CountedSession {
 public:
  ${camel}Session(std::size_t classes, std::int64_t width) : seen_(classes, 0), width_(width) {}

  double predict(const Instance& instance) override {
    detail::check_width(\"$name\", instance, width_);
    return expect(static_cast<double>(std::ranges::max_element(seen_) - seen_.begin()));
  }
  double update(const Revealed& outcome) override {
    const int truth = detail::checked_class(outcome.value, seen_.size());
    const double predicted = take();
    ++seen_[static_cast<std::size_t>(truth)];
    return count_class(predicted, truth);
  }
  OnlineReport report() const override {
    OnlineReport report = counted(\"mistakes\");
    report.bound_name = \"none: none is proved\";
    return report;
  }
  void save(Record& record) const override {
    save_counts(record);
    record.put(\"seen\", seen_);
    record.put(\"width\", width_);
  }
  void resume(const Record& record) {
    resume_counts(record);
    seen_ = record.long_integers(\"seen\");
    width_ = record.integer(\"width\");
  }

 private:
  std::vector<std::int64_t> seen_;  // of each class
  std::int64_t width_;              // 0: any
};
"
    defined="std::unique_ptr<OnlineSession> ${camel}Learner::start(const OnlineSetting& setting,
                                                      const RunContext&) const {
  if (setting.class_names.empty()) throw Error(ErrorCode::usage, \"$name: needs classes\");
  return std::make_unique<${camel}Session>(setting.class_names.size(), setting.width);
}

std::unique_ptr<OnlineSession> ${camel}Learner::resume(const OnlineSetting&, const Record& record,
                                                       const RunContext&) const {
  auto session = std::make_unique<${camel}Session>(0, 0);
  session->resume(record);
  return session;
}"
    factory="entry.make_online = [](const OptionValues& values) {
    return std::make_unique<${camel}Learner>(${snake}_binding().from(values));
  };"
    includes='#include <algorithm>

#include "gssl/core/error.hpp"
#include "gssl/core/option_binding.hpp"
#include "online/counted_session.hpp"'
    asked='const auto session = made("'$name'").online().start({.class_names = {"a", "b"}});
  session->predict({});
  CHECK(session->update({.value = 1.0}) == 1.0);
  CHECK(session->predict({}) == 1.0);'
    test_includes='#include "fixtures.hpp"' ;;
esac

cat > "$header" << END
#pragma once
// $camel: what it models, the terms, the formula.
//
//   auto made = gssl::builtin_learners().make("$name:strength=2");
//
// Cost in time and memory; degenerate cases; source with DOI.

#include "gssl/learn/registry.hpp"

namespace gssl {

struct ${camel}Options {
  double strength = 1.0;  // of what, by which formula; > 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class ${camel}Learner final : public $base {
 public:
  explicit ${camel}Learner(${camel}Options options = {});

$declared

 private:
  ${camel}Options options_;
};

LearnerEntry ${snake}_entry();

}  // namespace gssl
END

cat > "$source" << END
#include "gssl/$folder/$snake.hpp"

$includes

namespace gssl {

namespace {

const OptionBinding<${camel}Options>& ${snake}_binding() {
  static const auto options =
      OptionBinding<${camel}Options>("$name").real(&${camel}Options::strength, "strength",
                                             {.low = 0.0, .low_open = true}, "what it does");
  return options;
}

${model:-}
}  // namespace

void ${camel}Options::validate() const { ${snake}_binding().validate(*this); }

${camel}Learner::${camel}Learner(${camel}Options options) : options_(options) { options_.validate(); }

$defined

LearnerEntry ${snake}_entry() {
  LearnerEntry entry;
  entry.name = "$name";
  entry.summary = "one line";
  entry.reference = "paper, with DOI where there is one";
  entry.options = ${snake}_binding().table();
  $factory
  return entry;
}

}  // namespace gssl
END

cat > "$test" << END
$test_includes
#include "gssl/$folder/$snake.hpp"
#include "support/catch.hpp"

using namespace gssl;
using namespace gssl::test;

TEST_CASE("$name: a sentence that an outside answer or a slow twin proves", "[$name]") {
  $asked
}
END

# Each list has a line of the same folder; the new one goes in front of the first.
before_first() { sed -i "0,\\|$2|s||$3\\n&|" "$1"; }
before_first algorithms/CMakeLists.txt "  src/$folder/" "  src/$folder/$snake.cpp"
before_first algorithms/CMakeLists.txt "  include/gssl/$folder/" "  include/gssl/$folder/$snake.hpp"
before_first tests/algorithms/CMakeLists.txt "  test_active.cpp" "  test_$snake.cpp"
before_first algorithms/src/builtin.cpp "#include \"gssl/$folder/" "#include \"gssl/$folder/$snake.hpp\""
before_first algorithms/src/builtin.cpp "  return registry;" "  registry.add(${snake}_entry());"
clang-format -i "$header" "$source" "$test" algorithms/src/builtin.cpp
echo "wrote $header, $source, $test and their lines in the lists; CHANGELOG.md is yours"
