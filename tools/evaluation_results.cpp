#include "evaluation_results.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string_view>
#include <utility>

#include "gssl/core/error.hpp"

namespace gssl::tool {
namespace {

double number_of(const Json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

double number_of(const Json& json, const char* key) { return number_of(json.at(key)); }

Json numbers_or_null(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number_or_null(value));
  return list;
}

Json bins_to_json(const std::vector<ReliabilityBin>& bins) {
  Json list = Json::array();
  for (const ReliabilityBin& bin : bins) list.push_back({bin.confidence, bin.accuracy, bin.count});
  return list;
}

Confusion counts_from_json(const Json& json, int classes) {
  Confusion counts(classes);
  if (json.size() != static_cast<std::size_t>(classes))
    throw Error(ErrorCode::bad_data, "counts of another number of classes");
  for (int truth = 0; truth < classes; ++truth) {
    const Json& row = json.at(static_cast<std::size_t>(truth));
    for (int answer = 0; answer <= classes; ++answer) {
      const auto times = row.at(static_cast<std::size_t>(answer)).get<std::int64_t>();
      counts.add(truth, answer == classes ? no_answer : answer, times);
    }
  }
  return counts;
}

// Rows that are right, wrong or without an answer, three to a letter from 'A' on: a journal holds
// those of every trial.
constexpr std::string_view row_marks = "01-";
constexpr std::size_t rows_a_letter = 3;

std::string packed(const std::string& right) {
  std::string letters;
  for (std::size_t i = 0; i < right.size(); i += rows_a_letter) {
    std::size_t code = 0;
    for (std::size_t j = std::min(i + rows_a_letter, right.size()); j-- > i;)
      code = row_marks.size() * code + row_marks.find(right[j]);
    letters += static_cast<char>('A' + static_cast<int>(code));
  }
  return letters;
}

[[noreturn]] void refuse_rows() { throw Error(ErrorCode::bad_data, "a stored trial: its rows"); }

std::string unpacked(const std::string& letters, std::int64_t rows) {
  const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(rows, 0));
  if (letters.size() != (wanted + rows_a_letter - 1) / rows_a_letter) refuse_rows();
  std::string right;
  for (const char letter : letters) {
    if (letter < 'A' || letter >= 'A' + 27) refuse_rows();
    auto code = static_cast<std::size_t>(letter - 'A');
    for (std::size_t j = 0; j < rows_a_letter && right.size() < wanted; ++j) {
      right += row_marks[code % row_marks.size()];
      code /= row_marks.size();
    }
  }
  return right;
}

// Not packed: a mark for each row of the trial, or none at all.
std::string checked_rows(std::string right, std::int64_t rows) {
  const bool whole = right.empty() || std::cmp_equal(right.size(), rows);
  if (!whole || right.find_first_not_of(row_marks) != std::string::npos) refuse_rows();
  return right;
}

// As it stands in a journal.
Json journaled(const TrialResult& result) {
  Json json = to_json(result);
  if (result.right.empty()) return json;
  json["right"] = "";
  json["rows"] = packed(result.right);
  return json;
}

}  // namespace

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json to_json(const Confusion& counts) {
  Json rows = Json::array();
  for (int truth = 0; truth < counts.classes(); ++truth) {
    Json row = Json::array();
    for (int answer = 0; answer < counts.classes(); ++answer)
      row.push_back(counts.count(truth, answer));
    row.push_back(counts.count(truth, no_answer));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json to_json(const TrialResult& r) {
  Json json = {{"trial", r.trial},
               {"method", r.method},
               {"chosen", r.chosen},
               {"error", r.error},
               {"converged", r.converged},
               {"test", r.test},
               {"unreached", r.unreached},
               {"tied", r.tied},
               {"unfinished", r.unfinished},
               {"accuracy", number_or_null(r.accuracy())},
               {"log_loss", number_or_null(r.log_loss)},
               {"brier", number_or_null(r.brier)},
               {"auc", number_or_null(r.auc)},
               {"ece", number_or_null(r.ece)},
               {"rmse", number_or_null(r.errors.rmse)},
               {"mae", number_or_null(r.errors.mae)},
               {"r2", number_or_null(r.errors.r2)},
               {"counts", to_json(r.counts)},
               {"reliability", bins_to_json(r.reliability)},
               {"right", r.right},
               {"residuals", numbers_or_null(r.residuals)},
               {"nmi", number_or_null(r.nmi)},
               {"ari", number_or_null(r.ari)},
               {"cut", number_or_null(r.cut)},
               {"modularity", number_or_null(r.modularity)},
               {"memory", r.memory},
               {"seconds", r.seconds}};
  if (std::isnan(r.truth)) return json;
  json["truth"] = r.truth;
  json["scores"] = numbers_or_null(r.scores);
  return json;
}

TrialResult trial_from_json(const Json& json, int classes) {
  try {
    TrialResult r;
    r.trial = json.at("trial").get<int>();
    r.method = json.at("method").get<int>();
    r.chosen = json.at("chosen").get<std::string>();
    r.error = json.at("error").get<std::string>();
    r.converged = json.at("converged").get<bool>();
    r.test = json.at("test").get<std::int64_t>();
    r.unreached = json.at("unreached").get<std::int64_t>();
    r.tied = json.at("tied").get<std::int64_t>();
    r.unfinished = json.at("unfinished").get<std::int64_t>();
    r.log_loss = number_of(json, "log_loss");
    r.brier = number_of(json, "brier");
    r.auc = number_of(json, "auc");
    r.ece = number_of(json, "ece");
    r.errors = {number_of(json, "rmse"), number_of(json, "mae"), number_of(json, "r2")};
    if (!json.at("counts").empty()) r.counts = counts_from_json(json.at("counts"), classes);
    for (const Json& bin : json.at("reliability"))
      r.reliability.push_back(
          {bin.at(0).get<double>(), bin.at(1).get<double>(), bin.at(2).get<std::int64_t>()});
    r.right = json.contains("rows") ? unpacked(json.at("rows").get<std::string>(), r.test)
                                    : checked_rows(json.at("right").get<std::string>(), r.test);
    for (const Json& residual : json.at("residuals")) r.residuals.push_back(number_of(residual));
    r.nmi = number_of(json, "nmi");
    r.ari = number_of(json, "ari");
    r.cut = number_of(json, "cut");
    r.modularity = number_of(json, "modularity");
    r.memory = json.at("memory").get<std::int64_t>();
    r.seconds = json.at("seconds").get<double>();
    if (!json.contains("truth")) return r;
    r.truth = json.at("truth").get<double>();
    for (const Json& score : json.at("scores")) r.scores.push_back(number_of(score));
    return r;
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorCode::bad_data, std::string("a stored trial: ") + error.what());
  }
}

Json to_json(const ClassMeasures& one) {
  return {{"precision", number_or_null(one.precision)},
          {"recall", number_or_null(one.recall)},
          {"f1", number_or_null(one.f1)},
          {"rows", one.support}};
}

namespace {

void add_metrics(const Comparison& c, Json& json) {
  const auto add = [&](const char* key, const MeanAndDeviation& value) {
    json[key] = number_or_null(value.mean);
  };
  if (c.counts.classes() > 0) {
    add("balanced_accuracy", c.balanced_accuracy);
    add("f1_macro", c.f1_macro);
    add("matthews", c.matthews);
    add("log_loss", c.log_loss);
    add("brier", c.brier);
    add("auc", c.auc);
    add("ece", c.ece);
    json["counts"] = to_json(c.counts);
    json["per_class"] = Json::array();
    for (int k = 0; k < c.counts.classes(); ++k)
      json["per_class"].push_back(to_json(c.counts.of_class(k)));
    json["averages"] = {{"macro", to_json(c.counts.macro())},
                        {"weighted", to_json(c.counts.weighted())},
                        {"micro", to_json(c.counts.micro())}};
    json["reliability"] = bins_to_json(c.reliability);
  } else {
    add("mae", c.mae);
    add("r2", c.r2);
  }
  if (c.nmi) json["nmi"] = *c.nmi;
  if (c.ari) json["ari"] = *c.ari;
  if (c.cut) json["cut"] = *c.cut;
  if (c.modularity) json["modularity"] = *c.modularity;
}

// What the method is beside the best one, or the best beside the second.
void add_comparison(const Comparison& c, Json& json) {
  if (c.against_second) {
    const auto& [share, p_value, interval] = *c.against_second;
    json["against_second"] = {{"share", number_or_null(share)},
                              {"p", p_value},
                              {"interval", {interval.low, interval.high}}};
  }
  if (c.common)
    json["common"] = {{"rows", c.common->rows},
                      {"value", number_or_null(c.common->value)},
                      {"best", number_or_null(c.common->best)}};
  if (!c.test) return;
  json["difference"] = number_or_null(c.test->difference);
  json["difference_interval"] = {number_or_null(c.test->low), number_or_null(c.test->high)};
  // One pair of measurements has no t.
  if (!c.mcnemar_p && c.test->pairs < 2) return;
  json["p"] = number_or_null(c.mcnemar_p.value_or(c.test->p_value));
  if (c.verdict != Verdict::unknown) json["p_adjusted"] = c.p_adjusted;
  if (c.wilcoxon_p) json["p_wilcoxon"] = *c.wilcoxon_p;
  json["test"] = c.mcnemar_p ? "mcnemar" : c.wilcoxon_p ? "paired t" : "corrected resampled t";
}

}  // namespace

Json to_json(const Comparison& c, const std::vector<std::string>& methods) {
  Json json = {{"group", c.group},
               {"method", methods[static_cast<std::size_t>(c.method)]},
               {"chosen", c.chosen},
               {"trials", c.trials},
               {"failed", c.failed},
               {"pooled", c.pooled},
               {"mean", number_or_null(c.value.mean)},
               {"sd", number_or_null(c.value.sd)},
               {"mean_interval",
                {number_or_null(c.mean_interval.low), number_or_null(c.mean_interval.high)}},
               {"verdict", std::string(to_string(c.verdict))},
               {"unreached", c.unreached},
               {"tied", c.tied},
               {"unanswered", c.unanswered},
               {"seconds", number_or_null(c.seconds.mean)}};
  json["choices"] = Json::array();
  for (const auto& [spec, times] : c.choices) json["choices"].push_back({spec, times});
  if (c.failed > 0) json["error"] = c.error;
  if (c.verdict == Verdict::failed) return json;
  add_metrics(c, json);
  if (c.memory >= 0) json["memory"] = c.memory;
  if (c.interval)
    json["interval"] = {number_or_null(c.interval->low), number_or_null(c.interval->high)};
  add_comparison(c, json);
  return json;
}

TrialJournal::TrialJournal(std::string path, const std::string& key, bool resume, int classes)
    : path_(std::move(path)) {
  if (resume && std::filesystem::exists(path_)) read(key, classes);
  out_.open(path_, std::ios::trunc);
  if (!out_) throw Error(ErrorCode::cannot_create, path_ + ": cannot be written");
  out_ << Json({{"key", key}}).dump() << '\n';
  for (const TrialResult& result : done_) out_ << journaled(result).dump() << '\n';
  out_.flush();
}

void TrialJournal::read(const std::string& key, int classes) {
  std::ifstream in(path_);
  std::string line;
  for (bool first = true; std::getline(in, line); first = false) {
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded()) break;
    if (!first) {
      done_.push_back(trial_from_json(json, classes));
      continue;
    }
    if (!json.contains("key") || json["key"] != key)
      throw Error(
          ErrorCode::usage,
          path_ + ": trials of other data, options or version; leave --resume out to begin anew");
  }
}

void TrialJournal::add(const TrialResult& result) {
  out_ << journaled(result).dump() << '\n';
  out_.flush();
}

void TrialJournal::remove() {
  out_.close();
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace gssl::tool
