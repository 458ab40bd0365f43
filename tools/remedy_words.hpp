#pragma once
// What front ends call the options of the library that help where an error is thrown
// (core/remedy.hpp).

#include <span>
#include <string>

#include "gssl/core/error.hpp"

namespace gssl::tool {

struct RemedyWords {
  Remedy remedy;
  const char* flag;     // of the command
  const char* keyword;  // of the Python package; empty: it has none
};

// One of each remedy, in their order.
std::span<const RemedyWords> all_remedy_words();

// "the message (--columns, --id-column)".
std::string with_flags(const Error& error);
// "the message (columns=, id_column=)".
std::string with_keywords(const Error& error);

}  // namespace gssl::tool
