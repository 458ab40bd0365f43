#include "gssl/online/seminorm.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/network/resistive_cover.hpp"
#include "online/counted_session.hpp"
#include "online/revealed_labels.hpp"
#include "online/vertex_stream.hpp"

namespace gssl {

namespace {

// Entries of a factor that the search for a bound may go through.
constexpr double most_cover_work = 2e9;
// What rounding may take from a bound.
constexpr double rounding = 1e-9;

class SeminormSession final : public detail::CountedSession {
 public:
  SeminormSession(detail::VertexStream stream, const RunContext& run)
      : stream_(std::move(stream)), run_(run), labels_(stream_.graph(), stream_.columns(), run) {}
  SeminormSession(detail::VertexStream stream, const Record& record, const RunContext& run)
      : stream_(std::move(stream)),
        run_(run),
        labels_(stream_.graph(), stream_.columns(), record, run) {
    resume_counts(record);
    conflict_ = record.text("conflict");
  }

  double predict(const Instance& instance) override {
    vertex_ = stream_.checked_vertex(instance.first);
    labels_.look_at(vertex_);
    return expect(stream_.decide(labels_.value()));
  }

  double update(const Revealed& outcome) override {
    const int truth = detail::checked_class(outcome.value, stream_.classes());
    const double predicted = take();
    const std::vector<double> given = stream_.encode(truth);
    if (!labels_.is_labeled(vertex_))
      labels_.reveal(vertex_, given);
    else if (conflict_.empty() && !std::ranges::equal(labels_.label(vertex_), given))
      conflict_ = std::to_string(vertex_);
    return count_class(predicted, truth);
  }

  OnlineReport report() const override {
    OnlineReport report = counted("mistakes");
    report.certificates = {{"energy", {energy_sum(*stream_.graph(), labels_.extension())}},
                           {"energy_of_trials", {labels_.energy()}},
                           {"factorizations", {static_cast<double>(labels_.factorizations())}}};
    if (conflict_.empty())
      add_bound(report);
    else
      report.bound_name = "none: vertex number " + conflict_ + " has two labels";
    return report;
  }

  void save(Record& record) const override {
    save_counts(record);
    stream_.save(record);
    labels_.save(record);
    record.put("conflict", conflict_);
  }

 private:
  static double energy_sum(const Graph& graph, const Block& w) {
    double sum = 0.0;
    for (VertexId u = 0; u < graph.vertex_count(); ++u)
      graph.visit_row(u, [&](VertexId v, double weight) {
        for (std::int64_t k = 0; k < w.columns(); ++k)
          if (u < v) sum += weight * (w(u, k) - w(v, k)) * (w(u, k) - w(v, k));
      });
    return sum;
  }

  void add_bound(OnlineReport& report) const {
    if (!cover_) cover_.emplace(*stream_.graph(), run_);
    const auto most = static_cast<std::int64_t>(most_cover_work / (1.0 + cover_->factor_entries()));
    const double energy = stream_.columns() == 1 ? labels_.energy() : 2.0 * labels_.energy();
    const CoverBound best = best_cover_bound(*cover_, energy, std::max<std::int64_t>(most, 1));
    const auto labeled = static_cast<double>(labels_.count());
    if (best.bound < labeled) {
      report.bound = best.bound * (1.0 + rounding);
      report.bound_name = "k + 2 R_k E: k balls of resistance R_k, energy E";
      report.certificates.push_back({"centers", {static_cast<double>(best.centers)}});
      report.certificates.push_back({"radius", {best.radius}});
    } else {
      report.bound = labeled;
      report.bound_name = "labeled vertices: each is mistaken at most once";
    }
  }

  detail::VertexStream stream_;
  RunContext run_;
  detail::RevealedLabels labels_;
  VertexId vertex_ = no_vertex;
  std::string conflict_;  // the first vertex with two labels
  mutable std::optional<ResistiveCover> cover_;
};

}  // namespace

std::unique_ptr<OnlineSession> SeminormLearner::start(const OnlineSetting& setting,
                                                      const RunContext& run) const {
  return std::make_unique<SeminormSession>(detail::VertexStream("seminorm", setting), run);
}

std::unique_ptr<OnlineSession> SeminormLearner::resume(const OnlineSetting& setting,
                                                       const Record& record,
                                                       const RunContext& run) const {
  return std::make_unique<SeminormSession>(detail::VertexStream("seminorm", setting, record),
                                           record, run);
}

LearnerEntry seminorm_entry() {
  LearnerEntry entry;
  entry.name = "seminorm";
  entry.summary = "least energy among the labelings that agree with all labels so far";
  entry.reference =
      "M. Herbster, G. Lever. Predicting the labelling of a graph via minimum p-seminorm "
      "interpolation. COLT 2009";
  entry.make_online = [](const OptionValues&) { return std::make_unique<SeminormLearner>(); };
  return entry;
}

}  // namespace gssl
