#include "gssl/online/graph_perceptron.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/option_binding.hpp"
#include "gssl/kernel/graph_expression.hpp"
#include "online/counted_session.hpp"
#include "online/least_norm.hpp"
#include "online/vertex_stream.hpp"
#include "online/wide_diameter_proof.hpp"

namespace gssl {

namespace {

// What rounding may take from a bound.
constexpr double rounding = 1e-9;

const OptionBinding<GraphPerceptronOptions>& graph_perceptron_binding() {
  static const auto options =
      OptionBinding<GraphPerceptronOptions>("graph-perceptron")
          .text(&GraphPerceptronOptions::kernel, "kernel",
                "an expression of graph kernels, as diffusion(time=2)+0.1*pseudoinverse")
          .real(&GraphPerceptronOptions::b, "b", {.low = 0.0, .high = 1e100},
                "constant added to every entry of the kernel")
          .real(&GraphPerceptronOptions::tolerance, "tolerance",
                {.low = 0.0, .high = 1.0, .low_open = true, .high_open = true},
                "relative residual of the solves for the pseudoinverse alone")
          .rule([](const GraphPerceptronOptions& o) { GraphKernelExpression::check(o.kernel); });
  return options;
}

bool is_plain(const GraphPerceptronOptions& options) { return options.kernel == "pseudoinverse"; }

std::string kernel_text(const GraphPerceptronOptions& options) {
  return is_plain(options) ? "pseudoinverse(tolerance=" + to_text(options.tolerance) + ")"
                           : options.kernel;
}

class GraphPerceptronSession final : public detail::CountedSession {
 public:
  GraphPerceptronSession(const GraphPerceptronOptions& options, detail::VertexStream stream,
                         const RunContext& run)
      : options_(options),
        stream_(std::move(stream)),
        wide_diameter_(std::make_unique<detail::WideDiameterProof>(stream_.graph(), run)),
        run_(run),
        kernel_(stream_.graph(), kernel_text(options), run),
        w_(stream_.graph()->vertex_count(), stream_.columns()),
        first_class_(static_cast<std::size_t>(stream_.graph()->vertex_count()), -1) {}

  double predict(const Instance& instance) override {
    vertex_ = stream_.checked_vertex(instance.first);
    return expect(stream_.decide(w_.row(vertex_)));
  }

  std::span<const double> values() const override { return w_.row(vertex_); }

  double update(const Revealed& outcome) override {
    const int truth = detail::checked_class(outcome.value, stream_.classes());
    const double predicted = take();
    if (predicted != truth) learn(truth, static_cast<int>(predicted));
    int& first = first_class_[static_cast<std::size_t>(vertex_)];
    if (first < 0) {
      first = truth;
      labeled_.push_back(vertex_);
    }
    if (first != truth) ++contrary_;
    return count_class(predicted, truth);
  }

  OnlineReport report() const override {
    OnlineReport report = counted("mistakes");
    report.certificates = {{"updates", {static_cast<double>(mistakes())}}};
    if (!is_plain(options_)) {
      report.bound_name = "none: it is proved for kernel=pseudoinverse";
      report.certificates.push_back({"weight_square", {weight_square_}});
      report.certificates.push_back({"largest_diagonal", {largest_}});
      return report;
    }
    report.bound_name = "X²‖u‖²: X² the largest L⁺_vv + b of a mistake, ‖u‖² = uᵀLu + ū²/b";
    if (report.mistakes == 0) {
      report.bound = 0.0;
      return report;
    }
    // The norm takes the solve of a system, for which a run that was stopped has no time.
    const double norm = run_.should_stop() ? 0.0 : norm_square();
    if (run_.should_stop()) {
      report.bound_name = "none: the run was stopped before ‖u‖² was known";
      return report;
    }
    report.certificates.push_back({"norm_square", {norm}});
    report.certificates.push_back({"largest_diagonal", {largest_}});
    if (std::isinf(norm))
      report.bound_name =
          "none: no labeling of finite norm agrees with all labels; use b > 0, and "
          "one component";
    else if (contrary_ == 0 || stream_.classes() == 2)
      add_bounds(report, norm);
    else
      report.bound_name = "none: a vertex has two labels";
    return report;
  }

  void save(Record& record) const override {
    save_counts(record);
    stream_.save(record);
    record.put("w", w_);
    record.put("first_class", first_class_);
    record.put("labeled", labeled_);
    record.put("contrary", contrary_);
    record.put("largest", largest_);
    record.put("weight_square", weight_square_);
  }

  void resume(const Record& record) {
    resume_counts(record);
    const auto n = static_cast<std::int64_t>(first_class_.size());
    first_class_ = record.integers("first_class", n);
    labeled_ = record.integers("labeled");
    contrary_ = record.integer("contrary");
    largest_ = record.real("largest");
    if (record.has("weight_square")) weight_square_ = record.real("weight_square");
    Block w = record.block("w");
    if (w.rows() != n || w.columns() != stream_.columns())
      throw Error(ErrorCode::bad_data, "graph-perceptron: w has another shape than the graph asks");
    w_ = std::move(w);
    for (const VertexId v : labeled_) stream_.checked_vertex(v);
  }

 private:
  void learn(int truth, int predicted) {
    const KernelProduct column = kernel_.columns({vertex_}, run_);
    if (!column.report.converged())
      run_.throw_if_stopped("graph-perceptron", "before the column of a mistake was solved");
    largest_ = std::max(largest_, column.values(vertex_, 0) + options_.b);
    const bool two = stream_.classes() == 2;
    const double square = column.values(vertex_, 0) + options_.b;
    // ‖w ± K_v‖² = ‖w‖² ± 2w_v + K_vv, for each w that moves.
    weight_square_ += two ? 2.0 * (truth == 0 ? -1.0 : 1.0) * w_(vertex_, 0) + square
                          : 2.0 * (w_(vertex_, truth) - w_(vertex_, predicted) + square);
    for (std::int64_t u = 0; u < w_.rows(); ++u) {
      const double k = column.values(u, 0) + options_.b;
      w_(u, two ? 0 : truth) += two && truth == 0 ? -k : k;
      if (!two) w_(u, predicted) -= k;
    }
  }

  // Of the least labeling of the first labels; for more than two classes, twice the sum over them.
  double norm_square() const {
    Block values(static_cast<std::int64_t>(labeled_.size()), stream_.columns());
    for (std::size_t i = 0; i < labeled_.size(); ++i)
      std::ranges::copy(stream_.encode(first_class_[static_cast<std::size_t>(labeled_[i])]),
                        values.row(static_cast<std::int64_t>(i)).begin());
    double sum = 0.0;
    for (const double norm :
         detail::least_norms(*stream_.graph(), labeled_, values, options_.b, run_))
      sum += norm;
    return stream_.classes() == 2 ? sum : 2.0 * sum;
  }

  void add_bounds(OnlineReport& report, double norm) const {
    // A label against the first of its vertex has hinge loss 1 − (−1) = 2.
    const double hinge = 2.0 * static_cast<double>(contrary_);
    const char* const of_noise =
        "H + X‖u‖√H + X²‖u‖²: H the hinge loss of labels against the first";
    const auto add = [&](double square, const std::string& name) {
      const double product = square * norm;
      report.add_bound((hinge + std::sqrt(product * hinge) + product) * (1.0 + rounding), name);
    };
    add(largest_, contrary_ > 0 ? of_noise : report.bound_name);
    if (contrary_ > 0) report.certificates.push_back({"hinge_loss", {hinge}});
    try {
      if (const auto resistance = wide_diameter_->largest_resistance())
        add(*resistance + options_.b, std::string(contrary_ > 0 ? of_noise : "X²‖u‖²") +
                                          ", X² = Δ/k + b by the wide diameter");
    } catch (const Error& error) {
      if (error.code() != ErrorCode::cancelled && error.code() != ErrorCode::time_limit) throw;
    }
  }

  GraphPerceptronOptions options_;
  detail::VertexStream stream_;
  std::unique_ptr<detail::WideDiameterProof> wide_diameter_;
  RunContext run_;
  GraphKernelExpression kernel_;
  Block w_;
  std::vector<std::int32_t> first_class_;  // of each vertex; −1: never labeled
  std::vector<VertexId> labeled_;
  std::int64_t contrary_ = 0;   // trials whose label is not the first of the vertex
  double largest_ = 0.0;        // K_vv of a mistake
  double weight_square_ = 0.0;  // Σ ‖w‖² of all classes
  VertexId vertex_ = no_vertex;
};

}  // namespace

void GraphPerceptronOptions::validate() const { graph_perceptron_binding().validate(*this); }

GraphPerceptronLearner::GraphPerceptronLearner(GraphPerceptronOptions options)
    : options_(std::move(options)) {
  options_.validate();
}

std::unique_ptr<OnlineSession> GraphPerceptronLearner::start(const OnlineSetting& setting,
                                                             const RunContext& run) const {
  return std::make_unique<GraphPerceptronSession>(
      options_, detail::VertexStream("graph-perceptron", setting), run);
}

std::unique_ptr<OnlineSession> GraphPerceptronLearner::resume(const OnlineSetting& setting,
                                                              const Record& record,
                                                              const RunContext& run) const {
  auto session = std::make_unique<GraphPerceptronSession>(
      options_, detail::VertexStream("graph-perceptron", setting, record), run);
  session->resume(record);
  return session;
}

LearnerEntry graph_perceptron_entry() {
  LearnerEntry entry;
  entry.name = "graph-perceptron";
  entry.summary =
      "adds the columns of L⁺ + b, or of another kernel, of the vertices that it mistook";
  entry.reference = "M. Herbster, M. Pontil. Prediction on a graph with a perceptron. NIPS 2006";
  entry.options = graph_perceptron_binding().table();
  entry.make_online = [](const OptionValues& values) {
    return std::make_unique<GraphPerceptronLearner>(graph_perceptron_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
