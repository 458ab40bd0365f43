#pragma once
// What a learner in a shared object of its own has to export.
//
//   void add_my_learners(gssl::LearnerRegistry& registry) { registry.add(my_entry()); }
//   GSSL_PLUGIN(add_my_learners)
//
// once, in one source file at global scope; then  gssl label --plugin my.so --method my-learner.
// Build it with the compiler and the gssl headers of the program that loads it: C++ types cross the
// border, and plugin_abi only guards against headers that changed. Link the gssl libraries into it
// (statically and hidden); tests/algorithms/example_plugin is a complete one. What its learners
// return is checked after every fit (check_fit.hpp), and nothing they throw ends the program,
// unless it leaves a parallel region or a thread of theirs.

#include "gssl/learn/registry.hpp"

namespace gssl {

// Raised whenever a type that crosses the border changes its layout or meaning.
inline constexpr int plugin_abi = 13;

}  // namespace gssl

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): exported names cannot come from a template
#define GSSL_PLUGIN(function)                                                  \
  extern "C" __attribute__((visibility("default"))) int gssl_plugin_abi() {    \
    return ::gssl::plugin_abi;                                                 \
  }                                                                            \
  extern "C" __attribute__((visibility("default"))) void gssl_register_plugin( \
      ::gssl::LearnerRegistry& registry) {                                     \
    function(registry);                                                        \
  }
