// The module gssl._gssl: thin, and typed as C++ wants it. What people call is in gssl/*.py.

#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "bindings.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/suggestion.hpp"
#include "learner_catalog.hpp"
#include "remedy_words.hpp"

namespace gssl::python {
namespace {

const char* name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage: return "usage";
    case ErrorCode::bad_data: return "bad_data";
    case ErrorCode::cannot_open: return "cannot_open";
    case ErrorCode::internal: return "internal";
    case ErrorCode::out_of_memory: return "out_of_memory";
    case ErrorCode::cannot_create: return "cannot_create";
    case ErrorCode::io_failure: return "io_failure";
    case ErrorCode::cancelled: return "cancelled";
    case ErrorCode::time_limit: return "time_limit";
  }
  return "internal";
}

// Raises gssl.Error(message, code), a class of gssl/_errors.py.
void raise(const Error& error) {
  const py::object type = py::module_::import("gssl._errors").attr("Error");
  const py::object raised = type(tool::with_keywords(error), name_of(error.code()));
  PyErr_SetObject(type.ptr(), raised.ptr());
}

}  // namespace

LearnerRegistry& registry() {
  static LearnerRegistry all = builtin_learners();
  return all;
}

}  // namespace gssl::python

PYBIND11_MODULE(_gssl, module) {
  using namespace gssl::python;
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      std::rethrow_exception(std::move(pointer));
    } catch (const gssl::Error& error) {
      raise(error);
    }
  });
  module.attr("version") = GSSL_VERSION;
  module.def("learners", [] { return gssl::tool::learner_catalog(registry()).dump(); });
  module.def("load_plugin", [](const std::string& path) { registry().load_plugin(path); });
  module.def("suggestion", &gssl::suggestion);
  bind_evaluate(module);
  bind_graph(module);
  bind_label(module);
  bind_matrix(module);
  bind_network(module);
  bind_points(module);
  bind_models(module);
}
