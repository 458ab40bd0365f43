#pragma once
// NumPy arrays over the memory of C++ and the other way round.

#include <pybind11/numpy.h>

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/data/points.hpp"
#include "gssl/graph/knn_lists.hpp"

namespace gssl::python {

namespace py = pybind11;

// Of this type, in rows, converted where they are not.
template <class T>
using Array = py::array_t<T, py::array::c_style | py::array::forcecast>;

template <class T>
std::span<const T> view(const Array<T>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

template <class T>
std::vector<T> copy(const Array<T>& array) {
  return {array.data(), array.data() + array.size()};
}

// An array that owns what was a vector.
template <class T>
py::array_t<T> to_array(std::vector<T> values, std::vector<py::ssize_t> shape) {
  auto held = std::make_unique<std::vector<T>>(std::move(values));
  const T* const data = held->data();
  py::capsule owner(held.release(), [](void* p) { delete static_cast<std::vector<T>*>(p); });
  return py::array_t<T>(std::move(shape), data, owner);
}

template <class T>
py::array_t<T> to_array(std::vector<T> values) {
  const auto length = static_cast<py::ssize_t>(values.size());
  return to_array(std::move(values), {length});
}

inline py::array_t<double> to_array(Block block) {
  const auto rows = static_cast<py::ssize_t>(block.rows());
  const auto columns = static_cast<py::ssize_t>(block.columns());
  auto held = std::make_unique<Block>(std::move(block));
  const double* const data = held->data();
  py::capsule owner(held.release(), [](void* p) { delete static_cast<Block*>(p); });
  return py::array_t<double>({rows, columns}, data, owner);
}

// A read-only array over memory that `owner` keeps.
template <class T>
py::array_t<T> shown(std::span<const T> values, const py::object& owner) {
  py::array_t<T> array({static_cast<py::ssize_t>(values.size())}, values.data(), owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

// Python objects that memory belongs to: let go with the lock held, by whichever thread is last.
inline std::shared_ptr<const void> keep(py::object objects) {
  return {new py::object(std::move(objects)), [](const py::object* held) {
            if (Py_IsInitialized() == 0) return;  // the process ends and takes them along
            const py::gil_scoped_acquire acquire;
            delete held;
          }};
}

// (values), dense and shared with the array; or (rows, columns, offsets, columns of values, values),
// sparse and copied. Values are float32 or float64.
Points points_of(const py::tuple& parts);

// Lists of neighbors, nearest first: a row for each point. Throws ErrorCode::bad_data unless both
// arrays have the same two axes.
KnnLists lists_of(const Array<VertexId>& neighbors, const Array<double>& distances);

}  // namespace gssl::python
