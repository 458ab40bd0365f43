#pragma once
// The passes of gssl online over its stream, and what each of them counted.

#include <string>
#include <vector>

#include "gssl/io/trial_reader.hpp"
#include "session.hpp"
#include "stream_options.hpp"
#include "trial_loop.hpp"

namespace gssl::tool {

// Of each pass where there are several; updates where the learner counts them apart from mistakes.
struct PassCounts {
  std::vector<double> mistakes, updates;

  std::string text() const;  // of the last: "pass 3: 14 mistakes, 15 updates"
};

// Says the counts of the first 100 passes.
PassCounts run_passes(const OnlineVerbOptions& options, Session& session,
                      const TrialReadOptions& read, TrialLoop& loop);

// Reads the stream once more for the bounds that need a comparator, which is known only now. Says why
// not where it is no file, or the session goes on from another.
void look_again(Session& session, const OnlineVerbOptions& options, const TrialReadOptions& read,
                const PassCounts& counts, TrialLoop& loop);

}  // namespace gssl::tool
