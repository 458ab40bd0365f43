#include "gssl/core/report.hpp"

namespace gssl {

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::converged: return "converged";
    case Outcome::iteration_limit: return "iteration_limit";
    case Outcome::time_limit: return "time_limit";
    case Outcome::cancelled: return "cancelled";
    case Outcome::breakdown: return "breakdown";
  }
  return "breakdown";
}

}  // namespace gssl
