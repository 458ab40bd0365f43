#pragma once
// An array of numbers with no value yet, on huge pages where the system grants them: the first
// touch of 20 MB takes ten interrupts instead of five thousand, as long as ten products with the
// matrix that lies in it. Moves, does not copy.
//
//   gssl::HugeArray<float> entries(n * n);  // values, uninitialized

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace gssl {

template <class Value>
class HugeArray {
  static_assert(std::is_trivially_default_constructible_v<Value>);

 public:
  HugeArray() = default;
  // So many values, at a border of pages of 2 MB. Throws std::bad_alloc.
  explicit HugeArray(std::size_t size)
      : values_(static_cast<Value*>(::operator new(size * sizeof(Value), page))), size_(size) {
#ifdef __linux__
    // Only a hint: without it the array is as good, and slower to touch.
    madvise(values_.get(), size * sizeof(Value), MADV_HUGEPAGE);
#endif
  }

  Value* data() { return values_.get(); }
  const Value* data() const { return values_.get(); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  static constexpr std::align_val_t page{std::size_t{1} << 21};
  struct Free {
    void operator()(Value* values) const { ::operator delete(values, page); }
  };
  std::unique_ptr<Value, Free> values_;
  std::size_t size_ = 0;
};

}  // namespace gssl
