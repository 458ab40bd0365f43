// A plug-in that throws what is no exception while it registers.
#include "gssl/learn/plugin.hpp"

namespace {

void throw_number(gssl::LearnerRegistry&) { throw 42; }

}  // namespace

GSSL_PLUGIN(throw_number)
