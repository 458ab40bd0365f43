#pragma once
// Outputs that appear whole or not at all.
//
//   gssl::OutputFile out("labels.tsv");  // opened now, before the long work
//   out.write("node\tlabel\n");
//   out.commit();                        // to disk and into place; without it nothing is left
//
// "-" is standard output, which is only flushed; so is a descriptor of this process that is named
// by its path (/dev/stdout, /dev/fd/3): it is written on from where it stands. Character devices,
// pipes and sockets are written in place; a symbolic link stays and its target is replaced. A new
// file gets the usual permissions (0666 less the umask), a replaced one keeps its own. Throws
// ErrorCode::cannot_create on opening, ErrorCode::io_failure on writing and for a descriptor that
// is not open for writing; the message says "closed pipe" when the reader has gone (the program
// must ignore SIGPIPE).

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gssl {

namespace detail {
class TemporaryFile;
}

class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();  // drops what was not committed
  OutputFile(OutputFile&&) noexcept;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile& operator=(OutputFile&&) = delete;

  void write(std::string_view text);
  // Writes over what was written; only where is_replaceable(). O(bytes), after a flush().
  void write_at(std::uint64_t offset, std::string_view text);
  // A file that appears by commit(); not so pipes, devices and standard output.
  bool is_replaceable() const { return temporary_ != nullptr; }
  void flush();  // hands on what was written; a file still appears only by commit()
  void commit();
  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(const char* action) const;  // from errno
  int descriptor() const;
  void hand_on(std::string_view rest) const;
  std::string path_;
  std::unique_ptr<detail::TemporaryFile> temporary_;  // none when written in place
  std::string buffer_;
  int in_place_ = -1;
  bool close_in_place_ = false;
  bool committed_ = false;
};

// The descriptor of this process that an output of this name is written through: 1 for "-" and
// /dev/stdout, 3 for /dev/fd/3, links to them included; nothing for other paths.
std::optional<int> own_descriptor(const std::string& path);

// Unlinks what runs that were killed between two steps of a commit left beside an output of this
// name. No other run may be writing it now. Returns how many there were.
int remove_stale_temporaries(const std::string& path);

// Unlinks the temporaries of all outputs not yet committed (of the first 16 that have a name at
// once). Async-signal-safe; call it just before the process ends by a signal.
void remove_temporary_outputs() noexcept;

}  // namespace gssl
