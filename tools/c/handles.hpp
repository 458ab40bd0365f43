#pragma once
// What the handles of gssl.h hold, and the guard around every function body.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "gssl.h"
#include "gssl/core/error.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/graph/vertex_names.hpp"
#include "gssl/learn/learner.hpp"

struct gssl_context {
  int threads = 0;
  std::uint64_t seed = 1;
  std::optional<gssl::RunContext::Clock::time_point> deadline;
  gssl_progress progress = nullptr;
  void* user = nullptr;
  // The work sees it through a const context, and a progress callback raises it.
  mutable std::atomic<bool> cancel{false};
};

struct gssl_graph {
  gssl::Graph graph;
  gssl::VertexNames names;
};

struct gssl_result {
  gssl::Fit fit;
  std::vector<const char*> class_names;  // into fit.class_names
  std::vector<unsigned char> status;
  std::string report;
};

namespace gssl::c {

// Sets what gssl_last_error() returns, cut off where it is longer than that keeps.
void set_error(const char* message) noexcept;

// Runs the body, which returns a status, and turns what it throws into one.
template <class Body>
gssl_status guard(Body&& body) noexcept {
  set_error("");
  try {
    return body();
  } catch (const Error& error) {
    set_error(error.what());
    return static_cast<gssl_status>(exit_status(error.code()));
  } catch (const std::bad_alloc&) {
    set_error("out of memory");
    return GSSL_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    set_error(error.what());
    return GSSL_INTERNAL;
  } catch (...) {
    set_error("unknown exception");
    return GSSL_INTERNAL;
  }
}

// Throws ErrorCode::usage "graph: NULL: must not be NULL" unless there is a pointer.
void require(const void* pointer, const char* name);
// The same of an array, which may be NULL if it has no elements.
void require_array(const void* array, std::size_t count, const char* name);

RunContext run_of(const gssl_context* context);

std::vector<VertexId> vertex_list(std::size_t count, const int32_t* vertices);

}  // namespace gssl::c
