#pragma once
// Arrays of numbers with no value yet, on huge pages where they are large and the system grants
// them: the first touch of 20 MB takes ten interrupts instead of five thousand, as long as ten
// products with the matrix that lies in it.
//
//   gssl::HugeArray<float> entries(n * n);  // values, uninitialized; moves, does not copy
//   std::vector<int, gssl::HugeAllocator<int>> grown;

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

namespace gssl {

namespace detail {
// Memory of so many bytes, and back to the system with it. Throws std::bad_alloc.
void* new_huge(std::size_t bytes);
void delete_huge(void* array, std::size_t bytes);
}  // namespace detail

template <class Value>
class HugeArray {
  static_assert(std::is_trivially_default_constructible_v<Value>);

 public:
  HugeArray() = default;
  // Throws std::bad_alloc.
  explicit HugeArray(std::size_t size)
      : values_(static_cast<Value*>(detail::new_huge(size * sizeof(Value))),
                Free{size * sizeof(Value)}),
        size_(size) {}

  Value* data() { return values_.get(); }
  const Value* data() const { return values_.get(); }
  Value& operator[](std::size_t i) { return values_.get()[i]; }
  const Value& operator[](std::size_t i) const { return values_.get()[i]; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  struct Free {
    std::size_t bytes = 0;
    void operator()(Value* values) const { detail::delete_huge(values, bytes); }
  };
  std::unique_ptr<Value, Free> values_;
  std::size_t size_ = 0;
};

// For containers of the standard library, which give their values a first one. Throws
// std::bad_alloc.
template <class Value>
struct HugeAllocator {
  using value_type = Value;
  HugeAllocator() = default;
  template <class Other>
  HugeAllocator(const HugeAllocator<Other>&) {}  // NOLINT(google-explicit-constructor)

  Value* allocate(std::size_t size) {
    if (size > static_cast<std::size_t>(-1) / 2 / sizeof(Value)) throw std::bad_array_new_length();
    return static_cast<Value*>(detail::new_huge(size * sizeof(Value)));
  }
  void deallocate(Value* values, std::size_t size) {
    detail::delete_huge(values, size * sizeof(Value));
  }
  template <class Other>
  bool operator==(const HugeAllocator<Other>&) const {
    return true;
  }
};

}  // namespace gssl
