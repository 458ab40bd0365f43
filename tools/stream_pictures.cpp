#include "stream_pictures.hpp"

#include <fmt/format.h>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "report_page.hpp"

namespace gssl::tool {
namespace {

bool is_picture(const std::string& path) { return path.ends_with(".svg"); }

std::vector<double> weights_of(const MadeLearner& made, const OnlineSession& online) {
  const InstanceKind kind = made.online().instance_kind();
  Record record;
  if (kind == InstanceKind::advice || kind == InstanceKind::losses || kind == InstanceKind::arm)
    online.save(record);
  if (record.has("weights")) return record.reals("weights");
  throw Error(ErrorCode::usage,
              fmt::format("--weights: {} keeps no weights of experts or actions: weighted-average, "
                          "fixed-share, variable-share, hedge and exp3 do",
                          made.entry->name));
}

Json bound_table(const OnlineReport& report) {
  Json rows = Json::array();
  rows.push_back({report.loss_name, report.loss});
  if (report.comparator) rows.push_back({report.comparator_name, *report.comparator});
  if (report.comparator) rows.push_back({"regret", *report.regret()});
  rows.push_back({"bound: " + report.bound_name, report.bound ? Json(*report.bound) : Json()});
  for (const Certificate& one : report.certificates)
    if (one.values.size() == 1) rows.push_back({one.name, one.values.front()});
  return {{"title", "Loss, bound and certificates"},
          {"heads", {"property", "value"}},
          {"rows", std::move(rows)},
          {"note", report.bound_in_expectation ? "the bound is of the mean over what is drawn"
                                               : "the bound is proved for exactly this run"}};
}

Json page_of(const Session& session, const MadeLearner& made, const OnlineReport& report,
             const LossCurve& losses, const std::string& data) {
  Json json = {{"schema", "gssl-results/1"},
               {"verb", session.command()},
               {"version", GSSL_VERSION},
               {"title", fmt::format("{}: {} {} in {} trials", made.entry->name,
                                     to_brief_text(report.loss), report.loss_name, report.trials)},
               {"data", data},
               {"method", made.spec},
               {"seed", static_cast<std::int64_t>(session.run.seed)},
               {"warnings", report.warnings},
               {"complete", !session.run.should_stop()}};
  json["tiles"] = Json::array();
  json["tiles"].push_back({std::to_string(report.trials), "trials"});
  json["tiles"].push_back({std::to_string(report.mistakes), "mistakes"});
  json["tiles"].push_back({report.bound ? to_brief_text(*report.bound) : "–", "bound of the run"});
  json["loss_curve"] = losses.json();
  json["tables"] = Json::array({bound_table(report)});
  json["sentences"] = Json::array({"Method: " + made.spec});
  return json;
}

}  // namespace

std::optional<OutputFile> output_of(const std::string& path) {
  std::optional<OutputFile> out;
  if (!path.empty()) out.emplace(path);
  return out;
}

StreamPictures::StreamPictures(const PictureFiles& files)
    : files_(files),
      curve_out_(output_of(files.curve)),
      weights_out_(output_of(files.weights)),
      report_out_(output_of(files.report)) {}

void StreamPictures::note(std::int64_t trials, const MadeLearner& made,
                          const OnlineSession& online) {
  if ((curve_out_ || report_out_) && losses_.due(trials)) losses_.add(online.report());
  if (weights_out_ && weights_.due(trials)) weights_.add(trials, weights_of(made, online));
}

void StreamPictures::write(const Session& session, const MadeLearner& made,
                           const OnlineReport& report, const std::string& data) {
  losses_.finish(report);
  if (curve_out_) {
    curve_out_->write(is_picture(files_.curve) ? losses_.svg(made.spec) : losses_.csv());
    curve_out_->commit();
  }
  if (weights_out_) {
    weights_out_->write(is_picture(files_.weights) ? weights_.svg(made.spec) : weights_.csv());
    weights_out_->commit();
  }
  if (!report_out_) return;
  report_out_->write(report_page(page_of(session, made, report, losses_, data)));
  report_out_->commit();
}

}  // namespace gssl::tool
