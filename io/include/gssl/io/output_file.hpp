#pragma once
// Outputs that appear whole or not at all.
//
//   gssl::OutputFile out("labels.tsv");      // opens a temporary beside it now, before the long
//   work out.write("node\tlabel\n"); out.commit();                            // flush, fsync,
//   rename; without it nothing is left
//
// "-" is standard output, which is only flushed. Devices and pipes (/dev/null, /dev/stdout) are
// written in place; a symbolic link stays and its target is replaced. A new file gets the usual
// permissions (0666 less the umask), a replaced one keeps its own. Throws ErrorCode::cannot_create
// on opening, ErrorCode::io_failure on writing; the message says "closed pipe" when the reader has
// gone (the program must ignore SIGPIPE).

#include <string>
#include <string_view>

namespace gssl {

class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();  // drops what was not committed
  OutputFile(OutputFile&&) noexcept;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile& operator=(OutputFile&&) = delete;

  void write(std::string_view text);
  void commit();
  const std::string& path() const { return path_; }

 private:
  void flush();
  [[noreturn]] void fail(const char* action) const;  // from errno
  std::string path_;
  std::string target_;     // path_ with symbolic links resolved
  std::string temporary_;  // empty when written in place
  std::string buffer_;
  int descriptor_ = -1;
  bool committed_ = false;
};

// Unlinks the temporaries of all outputs not yet committed (of the first 16 open at once).
// Async-signal-safe; call it just before the process ends by a signal.
void remove_temporary_outputs() noexcept;

}  // namespace gssl
