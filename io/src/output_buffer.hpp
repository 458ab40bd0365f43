#pragma once
// What a std::ostream that writes to an OutputFile holds, for libraries that write to streams.
//
//   OutputBuffer buffer(file);
//   std::ostream stream(&buffer);
//   boost::write_graphml(stream, …);
//   buffer.finish();

#include <streambuf>
#include <string>

#include "gssl/io/output_file.hpp"

namespace gssl::detail {

class OutputBuffer : public std::streambuf {
 public:
  explicit OutputBuffer(OutputFile& file) : file_(file) {}

  void finish() { hand_over(); }

 private:
  static constexpr std::size_t most_held = std::size_t{1} << 16;

  std::streamsize xsputn(const char* text, std::streamsize count) override {
    held_.append(text, static_cast<std::size_t>(count));
    if (held_.size() >= most_held) hand_over();
    return count;
  }
  int_type overflow(int_type c) override {
    const char character = traits_type::to_char_type(c);
    xsputn(&character, 1);
    return c;
  }
  int sync() override { return 0; }  // std::endl asks for it on every line
  void hand_over() {
    file_.write(held_);
    held_.clear();
  }

  OutputFile& file_;
  std::string held_;
};

}  // namespace gssl::detail
