#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/report.hpp"

namespace gssl::test {

// The certificate of this name of a report, or of what carries one. Throws where there is none.
template <class Answer>
const Certificate& certificate(const Answer& answer, std::string_view name) {
  if constexpr (requires { answer.report.certificates; }) {
    return certificate(answer.report, name);
  } else {
    for (const Certificate& one : answer.certificates)
      if (one.name == name) return one;
    throw Error(ErrorCode::internal, "no certificate " + std::string(name));
  }
}

// Its only or first value.
template <class Answer>
double certified(const Answer& answer, std::string_view name) {
  return certificate(answer, name).values.at(0);
}

}  // namespace gssl::test
