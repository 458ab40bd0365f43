#pragma once
// A learner as the registry hands it out: it does what the learner inside does, checks what comes
// back, and turns whatever is thrown into a gssl::Error that says whose fault it is. Nothing that
// comes after a fit has to think of a foreign learner again.
//
//   made.transductive_learner = detail::checked(entry->make_transductive(values), *entry);
//
// A broken promise is ErrorCode::bad_data where the learner comes from a plug-in, and
// ErrorCode::internal where it is one of this program.

#include <exception>
#include <memory>
#include <new>
#include <string>

#include "gssl/core/error.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl::detail {

// Whose code ran: the file of a plug-in, or "" for this program, and the name of the learner, or ""
// while a plug-in is being loaded.
struct CodeOrigin {
  std::string plugin;
  std::string learner;

  // "plug-in FILE.so, learner NAME: WHAT"
  Error fault(const std::string& what) const;
};

// Calls body() and throws an Error that it throws, and std::bad_alloc, as they are. Anything else,
// and an Error that says `internal` in a plug-in, is a fault of `origin`.
template <class Body>
auto guarded(const CodeOrigin& origin, Body&& body) {
  try {
    return body();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::internal || origin.plugin.empty()) throw;
    throw origin.fault(error.what());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw origin.fault(std::string("threw an exception: ") + error.what());
  } catch (...) {
    throw origin.fault("threw what is no std::exception");
  }
}

// Throws a fault unless there is a learner. `entry` must outlive what is returned.
std::unique_ptr<TransductiveLearner> checked(std::unique_ptr<TransductiveLearner> learner,
                                             const LearnerEntry& entry);
std::unique_ptr<PointsLearner> checked(std::unique_ptr<PointsLearner> learner,
                                       const LearnerEntry& entry);
// Models are checked as well: shape of the scores, and that they are finite.
std::unique_ptr<InductiveLearner> checked(std::unique_ptr<InductiveLearner> learner,
                                          const LearnerEntry& entry);
// Only that there is one: what a session throws is turned into an Error where it is called.
std::unique_ptr<OnlineLearner> checked(std::unique_ptr<OnlineLearner> learner,
                                       const LearnerEntry& entry);
std::unique_ptr<Clusterer> checked(std::unique_ptr<Clusterer> learner, const LearnerEntry& entry);
// Completions are checked: shapes of the biases and the factors.
std::unique_ptr<Completer> checked(std::unique_ptr<Completer> learner, const LearnerEntry& entry);

}  // namespace gssl::detail
