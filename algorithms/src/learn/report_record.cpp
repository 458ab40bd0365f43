#include "learn/report_record.hpp"

#include "gssl/core/error.hpp"

namespace gssl::detail {

Outcome outcome_named(const std::string& name) {
  for (const Outcome outcome : {Outcome::converged, Outcome::iteration_limit, Outcome::time_limit,
                                Outcome::cancelled, Outcome::breakdown})
    if (to_string(outcome) == name) return outcome;
  throw Error(ErrorCode::bad_data, "record: model: unknown outcome");
}

Record certificates_record(const std::vector<Certificate>& certificates) {
  Record record;
  std::vector<std::string> names;
  names.reserve(certificates.size());
  for (const Certificate& c : certificates) names.push_back(c.name);
  record.put("names", names);
  for (std::size_t i = 0; i < certificates.size(); ++i)
    record.put("values/" + std::to_string(i), certificates[i].values);
  return record;
}

std::vector<Certificate> certificates_of(const Record& record) {
  std::vector<Certificate> certificates;
  for (const std::string& name : record.texts("names"))
    certificates.push_back({name, record.reals("values/" + std::to_string(certificates.size()))});
  return certificates;
}

}  // namespace gssl::detail
