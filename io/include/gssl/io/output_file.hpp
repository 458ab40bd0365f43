#pragma once
// Outputs that appear whole or not at all.
//
//   gssl::OutputFile out("labels.tsv");      // opens a temporary beside it now, before the long work
//   out.write("node\tlabel\n");
//   out.commit();                            // flush, fsync, rename; without it nothing is left
//
// "-" is standard output, which is only flushed. Devices and pipes (/dev/null, /dev/stdout) are
// written in place. Throws ErrorCode::cannot_create on opening, ErrorCode::io_failure on writing.

#include <string>
#include <string_view>

namespace gssl {

class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();                                   // drops what was not committed
  OutputFile(OutputFile&&) noexcept;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile& operator=(OutputFile&&) = delete;

  void write(std::string_view text);
  void commit();
  const std::string& path() const { return path_; }

 private:
  void flush();
  std::string path_;
  std::string temporary_;   // empty when written in place
  std::string buffer_;
  int descriptor_ = -1;
  bool committed_ = false;
};

}  // namespace gssl
