#include "sparse_npz.hpp"

#include <algorithm>

#include "fields.hpp"
#include "number_array.hpp"
#include "zip_archive.hpp"

namespace gssl::detail {
namespace {

class SparseArrays {
 public:
  SparseArrays(std::string_view bytes, const std::string& name)
      : archive_(bytes, name), members_(archive_.members()), name_(name) {}

 private:
  // convert(array, place) of the array of this name.
  template <class Convert>
  auto read(const char* array, Convert&& convert) const {
    const auto found = std::ranges::find(members_, array, &ZipMember::name);
    if (found == members_.end())
      bad_array(name_,
                std::string("no array ") + array + "; expected what scipy.sparse.save_npz writes");
    ByteBuffer unpacked;
    const std::string place = name_ + ":" + array;
    return convert(parse_npy(archive_.content(*found, unpacked), place), place);
  }

 public:
  std::vector<std::int64_t> integers(const char* array) const {
    return read(array,
                [](const NumberArray& a, const std::string& n) { return to_integers(a, n); });
  }
  std::vector<double> numbers(const char* array) const {
    return read(array, [](const NumberArray& a, const std::string& n) { return to_numbers(a, n); });
  }
  std::string word(const char* array) const {
    return read(array, [](const NumberArray& a, const std::string& n) { return to_word(a, n); });
  }
  std::vector<std::int64_t> shape_of(const char* array) const {
    return read(array, [](const NumberArray& a, const std::string&) { return a.shape; });
  }

 private:
  ZipArchive archive_;
  std::vector<ZipMember> members_;
  const std::string& name_;
};

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  bad_array(name, what + "; write the matrix again with scipy.sparse.save_npz");
}

// Rows and columns of blocks, which must fill the matrix.
void take_blocks(const SparseArrays& arrays, const std::string& name, SparseNpz& m) {
  const std::vector<std::int64_t> shape = arrays.shape_of("data");
  if (shape.size() != 3 || shape[1] < 1 || shape[2] < 1 || m.rows % shape[1] != 0 ||
      m.columns % shape[2] != 0)
    refuse(name, "blocks that do not fill the matrix");
  m.block_rows = shape[1];
  m.block_columns = shape[2];
}

void check_starts(const SparseNpz& m, std::int64_t lines, const std::string& name) {
  const auto& starts = m.starts;
  const bool whole = starts.size() == static_cast<std::size_t>(lines) + 1 && starts.front() == 0 &&
                     starts.back() == static_cast<std::int64_t>(m.indices.size()) &&
                     std::ranges::is_sorted(starts);
  if (!whole)
    refuse(name, "indptr does not run from 0 to the number of indices in " + std::to_string(lines) +
                     " steps");
}

void check_range(const std::vector<std::int64_t>& indices, std::int64_t size, const char* array,
                 const std::string& name) {
  for (std::size_t e = 0; e < indices.size(); ++e)
    if (indices[e] < 0 || indices[e] >= size)
      refuse(name, std::string(array) + "[" + std::to_string(e) + "] is " +
                       std::to_string(indices[e]) + ", which is not in 0 to " +
                       std::to_string(size - 1));
}

}  // namespace

SparseNpz read_sparse_arrays(std::string_view bytes, const std::string& name) {
  const SparseArrays arrays(bytes, name);
  const std::string format = arrays.word("format");
  const std::vector<std::int64_t> shape = arrays.integers("shape");
  SparseNpz m;
  if (shape.size() != 2 || shape[0] < 0 || shape[1] < 0) refuse(name, "shape is not two sizes");
  m.rows = shape[0];
  m.columns = shape[1];
  m.values = arrays.numbers("data");
  if (format == "coo") {
    m.starts = arrays.integers("row");
    m.indices = arrays.integers("col");
    if (m.starts.size() != m.indices.size()) refuse(name, "row and col have different lengths");
    check_range(m.starts, m.rows, "row", name);
    check_range(m.indices, m.columns, "col", name);
  } else if (format == "csr" || format == "csc" || format == "bsr") {
    if (format == "bsr") take_blocks(arrays, name, m);
    const bool by_rows = format != "csc";
    m.layout = by_rows ? SparseNpz::Layout::by_rows : SparseNpz::Layout::by_columns;
    m.starts = arrays.integers("indptr");
    m.indices = arrays.integers("indices");
    check_starts(m, (by_rows ? m.rows : m.columns) / m.block_rows, name);
    check_range(m.indices, (by_rows ? m.columns : m.rows) / m.block_columns, "indices", name);
  } else {
    refuse(name, "a sparse matrix of format '" + shown(format) +
                     "'; expected csr, csc, coo or bsr (m.tocsr())");
  }
  const auto block = static_cast<std::size_t>(m.block_rows * m.block_columns);
  if (m.values.size() != m.indices.size() * block)
    refuse(name, std::to_string(m.values.size()) + " data for " + std::to_string(m.indices.size()) +
                     " indices");
  return m;
}

}  // namespace gssl::detail
