#include "gssl/io/summary.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "gssl/io/output_file.hpp"

namespace gssl {

struct Summary::Document {
  nlohmann::ordered_json root = nlohmann::ordered_json::object();

  // The place of "a.b.c", with the objects on the way made; a plain value on the way is replaced.
  nlohmann::ordered_json& at(std::string_view key) {
    nlohmann::ordered_json* place = &root;
    for (;;) {
      if (!place->is_object()) *place = nlohmann::ordered_json::object();
      const std::size_t dot = key.find('.');
      place = &(*place)[std::string(key.substr(0, dot))];
      if (dot == std::string_view::npos) return *place;
      key.remove_prefix(dot + 1);
    }
  }
};

Summary::Summary() : document_(std::make_unique<Document>()) {}
Summary::~Summary() = default;

void Summary::set(std::string_view key, std::int64_t value) { document_->at(key) = value; }
void Summary::set(std::string_view key, bool value) { document_->at(key) = value; }

void Summary::set(std::string_view key, double value) {
  if (std::isfinite(value)) {
    document_->at(key) = value;
  } else {
    document_->at(key) = nullptr;
  }
}

void Summary::set(std::string_view key, std::string_view value) {
  document_->at(key) = std::string(value);
}

void Summary::set(std::string_view key, const std::vector<std::string>& values) {
  document_->at(key) = values;
}

void Summary::set(std::string_view key, const std::vector<double>& values) {
  nlohmann::ordered_json& array = document_->at(key);
  array = nlohmann::ordered_json::array();
  for (const double value : values) {
    array.push_back(std::isfinite(value) ? nlohmann::ordered_json(value)
                                         : nlohmann::ordered_json());
  }
}

void Summary::append(std::string_view key, std::string_view value) {
  nlohmann::ordered_json& place = document_->at(key);
  if (!place.is_array()) place = nlohmann::ordered_json::array();
  place.push_back(std::string(value));
}

void Summary::add_input(const InputStats& stats) {
  nlohmann::ordered_json& inputs = document_->at("inputs");
  if (!inputs.is_array()) inputs = nlohmann::ordered_json::array();
  nlohmann::ordered_json input = {
      {"path", stats.path},   {"format", stats.format}, {"compression", stats.compression},
      {"bytes", stats.bytes}, {"lines", stats.lines},   {"crc32", stats.crc32}};
  if (stats.of_edges) {
    input.update({{"edges_given", stats.edges_given},
                  {"self_loops_dropped", stats.self_loops_dropped},
                  {"duplicates_merged", stats.duplicates_merged},
                  {"reversed_merged", stats.reversed_merged},
                  {"opposite_differ", stats.opposite_differ},
                  {"zero_weights_dropped", stats.zero_weights_dropped}});
  }
  inputs.push_back(std::move(input));
}

void Summary::add_solver(const SolveReport& report) {
  set("solver.requested", report.requested);
  set("solver.used", report.used);
  set("solver.iterations", report.iterations);
  if (report.relative_residual) set("solver.relative_residual", *report.relative_residual);
  if (report.error_estimate) set("solver.error_estimate", *report.error_estimate);
  if (report.relative_residual) set("solver.inconsistency", report.inconsistency);
  set("solver.outcome", to_string(report.outcome));
  set("solver.sentence", report.sentence);
}

void Summary::add_certificate(const Certificate& certificate) {
  if (certificate.values.size() == 1) {
    set(certificate.name, certificate.values.front());
  } else {
    set(certificate.name, certificate.values);
  }
}

std::string Summary::json() const {
  // Paths and ids may hold any bytes; JSON holds UTF-8 only.
  return document_->root.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

void Summary::write(const std::string& path) const {
  OutputFile out(path);
  out.write(json());
  out.commit();
}

}  // namespace gssl
