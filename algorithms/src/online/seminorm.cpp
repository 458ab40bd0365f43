#include "gssl/online/seminorm.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/option_binding.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/network/wide_diameter.hpp"
#include "gssl/solve/cost_model.hpp"
#include "online/counted_session.hpp"
#include "online/local_labels.hpp"
#include "online/power_labels.hpp"
#include "online/revealed_labels.hpp"
#include "online/vertex_stream.hpp"
#include "online/wide_diameter_proof.hpp"

namespace gssl {

namespace {

using Engine = SeminormOptions::Engine;

constexpr double tuned = 0.0;  // p
// Vertices of a component of which all pairs are looked at, and pairs of a larger one.
constexpr VertexId most_of_all_pairs = 300;
constexpr std::int64_t pairs_of_many = 32;

double exponent_of(const std::string& text) {
  if (text == "auto") return tuned;
  const auto p = parse_number<double>(text);
  if (!p || !(*p >= 1.05 && *p <= 2.0))
    throw Error(ErrorCode::usage,
                "seminorm: option p=" + text + ": must be auto or a number in [1.05, 2]");
  return *p;
}

std::string text_of_exponent(double p) { return p == tuned ? "auto" : to_text(p); }

// The p that the bound by wide diameters asks for, each component alone, and what it is made of.
struct TunedExponent {
  double p = 2.0;
  WideDiameter worst;
  bool all_pairs = true;
};

TunedExponent tuned_to(const Graph& graph, double cut, const RunContext& run) {
  TunedExponent found;
  WideDiameter& worst = found.worst;
  const Components components = connected_components(graph);
  const ComponentGraphs parts(graph, components);
  for (VertexId k = 0; k < components.count; ++k) {
    const ComponentGraph part = parts[k];
    if (part.graph.vertex_count() < 2) continue;
    const bool small = part.graph.vertex_count() <= most_of_all_pairs;
    const WideDiameter here = small ? wide_diameter(part.graph, run)
                                    : wide_diameter_at_least(part.graph, pairs_of_many, run);
    found.all_pairs = found.all_pairs && small;
    worst.paths = worst.paths == 0 ? here.paths : std::min(worst.paths, here.paths);
    worst.length = std::max(worst.length, here.length);
  }
  if (worst.paths > 0) found.p = tuned_exponent(worst, cut);
  return found;
}

const OptionBinding<SeminormOptions>& seminorm_binding() {
  static const auto options =
      OptionBinding<SeminormOptions>("seminorm")
          .value(&SeminormOptions::p, "p",
                 "exponent of the energy in 1.05 … 2, of which 2 is fast; auto: the best for the "
                 "wide diameter of the graph and cut",
                 exponent_of, text_of_exponent)
          .real(&SeminormOptions::cut, "cut", {.low = 0.0, .high = 1e100},
                "of p=auto: edges between the classes that are expected")
          .choice(
              &SeminormOptions::engine, "engine",
              {{Engine::automatic, "auto"}, {Engine::factor, "factor"}, {Engine::local, "local"}},
              "of p = 2: a factor of the graph, or solves around each label; auto: a factor "
              "of at most 3e7 entries")
          .real(
              &SeminormOptions::tolerance, "tolerance",
              {.low = 0.0, .high = 1.0, .low_open = true, .high_open = true},
              "of the relative duality gap for p < 2, of the energy that the local engine reports")
          .rule([](const SeminormOptions& o) { exponent_of(text_of_exponent(o.p)); });
  return options;
}

using detail::LabelInterpolation;
using detail::LocalLabels;
using detail::PowerLabels;
using detail::RevealedLabels;

// A labeling of this engine, from the start or as it was saved.
template <class Labels, class... Options>
std::unique_ptr<LabelInterpolation> labels_of(const detail::VertexStream& stream,
                                              const Record* record, const RunContext& run,
                                              Options... options) {
  return record == nullptr
             ? std::make_unique<Labels>(stream.graph(), stream.columns(), options..., run)
             : std::make_unique<Labels>(stream.graph(), stream.columns(), options..., *record, run);
}

std::unique_ptr<LabelInterpolation> start_labels(const SeminormOptions& options,
                                                 const detail::VertexStream& stream,
                                                 const RunContext& run) {
  if (options.p < 2.0)
    return labels_of<PowerLabels>(stream, nullptr, run, options.p, options.tolerance);
  if (options.engine == Engine::factor)
    return labels_of<RevealedLabels>(stream, nullptr, run, RevealedLabels::most_entries);
  if (options.engine == Engine::automatic) {
    try {
      return labels_of<RevealedLabels>(stream, nullptr, run, cost_model().factor_entries);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::out_of_memory) throw;
    }
  }
  return labels_of<LocalLabels>(stream, nullptr, run, options.tolerance);
}

std::unique_ptr<LabelInterpolation> resume_labels(const SeminormOptions& options,
                                                  const detail::VertexStream& stream,
                                                  const Record& record, const RunContext& run) {
  if (options.p < 2.0)
    return labels_of<PowerLabels>(stream, &record, run, options.p, options.tolerance);
  // Of auto it is known since the start.
  return record.has("steps")
             ? labels_of<LocalLabels>(stream, &record, run, options.tolerance)
             : labels_of<RevealedLabels>(stream, &record, run, RevealedLabels::most_entries);
}

class SeminormSession final : public detail::CountedSession {
 public:
  SeminormSession(const SeminormOptions& options, detail::VertexStream stream, const Record* record,
                  const RunContext& run)
      : stream_(std::move(stream)),
        wide_diameter_(std::make_unique<detail::WideDiameterProof>(stream_.graph(), run)),
        is_tuned_(options.p == tuned) {
    SeminormOptions chosen = options;
    if (is_tuned_) {
      tuned_ = tuned_to(*stream_.graph(), options.cut, run);
      chosen.p = tuned_.p;
    }
    exponent_ = chosen.p;
    labels_ = record == nullptr ? start_labels(chosen, stream_, run)
                                : resume_labels(chosen, stream_, *record, run);
    if (record == nullptr) return;
    resume_counts(*record);
    conflict_ = record->text("conflict");
  }

  double predict(const Instance& instance) override {
    vertex_ = stream_.checked_vertex(instance.first);
    labels_->look_at(vertex_);
    return expect(stream_.decide(labels_->value()));
  }

  std::span<const double> values() const override { return labels_->value(); }

  double update(const Revealed& outcome) override {
    const int truth = detail::checked_class(outcome.value, stream_.classes());
    const double predicted = take();
    const std::vector<double> given = stream_.encode(truth);
    if (!labels_->is_labeled(vertex_))
      labels_->reveal(vertex_, given);
    else if (conflict_.empty() && !std::ranges::equal(labels_->label(vertex_), given))
      conflict_ = std::to_string(vertex_);
    return count_class(predicted, truth);
  }

  OnlineReport report() const override {
    OnlineReport report = counted("mistakes");
    try {
      labels_->prove(report, stream_.classes() == 2);
      if (stream_.classes() == 2) add_wide_diameter(report);
    } catch (const Error& error) {
      if (!stop_of(error)) throw;
      report = counted("mistakes");
      report.bound_name = "none: the run was stopped before the balls of the bound were known";
    }
    if (is_tuned_) {
      report.certificates.push_back({"exponent", {tuned_.p}});
      report.certificates.push_back({"paths", {static_cast<double>(tuned_.worst.paths)}});
      report.certificates.push_back({tuned_.all_pairs ? "path_length" : "path_length_at_least",
                                     {static_cast<double>(tuned_.worst.length)}});
    }
    if (!conflict_.empty()) {
      report.bound.reset();
      report.bounds.clear();
      report.bound_name = "none: vertex number " + conflict_ + " has two labels";
    }
    return report;
  }

  void save(Record& record) const override {
    save_counts(record);
    stream_.save(record);
    labels_->save(record);
    record.put("conflict", conflict_);
  }

 private:
  void add_wide_diameter(OnlineReport& report) const {
    std::vector<VertexId> labeled;
    std::vector<bool> positive;
    for (VertexId v = 0; v < stream_.graph()->vertex_count(); ++v)
      if (labels_->is_labeled(v)) {
        labeled.push_back(v);
        positive.push_back(labels_->label(v).front() > 0.0);
      }
    wide_diameter_->add_seminorm(report, exponent_, labeled, positive);
  }

  detail::VertexStream stream_;
  std::unique_ptr<detail::WideDiameterProof> wide_diameter_;
  bool is_tuned_;
  double exponent_ = 2.0;  // as it is used
  TunedExponent tuned_;    // of p = auto
  std::unique_ptr<LabelInterpolation> labels_;
  VertexId vertex_ = no_vertex;
  std::string conflict_;  // the first vertex with two labels
};

}  // namespace

void SeminormOptions::validate() const { seminorm_binding().validate(*this); }

SeminormLearner::SeminormLearner(SeminormOptions options) : options_(options) {
  options_.validate();
}

std::unique_ptr<OnlineSession> SeminormLearner::start(const OnlineSetting& setting,
                                                      const RunContext& run) const {
  return std::make_unique<SeminormSession>(options_, detail::VertexStream("seminorm", setting),
                                           nullptr, run);
}

std::unique_ptr<OnlineSession> SeminormLearner::resume(const OnlineSetting& setting,
                                                       const Record& record,
                                                       const RunContext& run) const {
  return std::make_unique<SeminormSession>(
      options_, detail::VertexStream("seminorm", setting, record), &record, run);
}

LearnerEntry seminorm_entry() {
  LearnerEntry entry;
  entry.name = "seminorm";
  entry.summary = "least energy among the labelings that agree with all labels so far";
  entry.reference =
      "M. Herbster, G. Lever. Predicting the labelling of a graph via minimum p-seminorm "
      "interpolation. COLT 2009";
  entry.options = seminorm_binding().table();
  entry.make_online = [](const OptionValues& values) {
    return std::make_unique<SeminormLearner>(seminorm_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
