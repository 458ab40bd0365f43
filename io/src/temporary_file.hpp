#pragma once
// The new content of a file until it takes the old one's place.
//
// Where the file system can, the content has no name until it is whole (O_TMPFILE): a process that
// is killed leaves nothing. A target that does not exist yet is then linked at once; one that does
// is replaced by a name beside it and a rename, two calls apart. Other file systems get that name
// from the start.
//
//   TemporaryFile file("labels.tsv", 0644);
//   if (file.descriptor() < 0) …;               // errno says why
//   write(file.descriptor(), …);
//   if (const char* step = file.take_place()) …;  // the step that failed, errno says why

#include <sys/types.h>

#include <string>

namespace gssl::detail {

class TemporaryFile {
 public:
  enum class Start { unnamed_if_possible, named };

  // `own_descriptors` is where the system shows the descriptors of this process.
  TemporaryFile(std::string target, mode_t permissions, Start start = Start::unnamed_if_possible,
                std::string own_descriptors = "/proc/self/fd");
  ~TemporaryFile();  // drops what did not take its place
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return descriptor_; }
  // Flushes to disk and replaces the target, closing the descriptor. Returns nullptr, or the step
  // that failed, as a verb; errno then says why and the target is as it was.
  const char* take_place();

 private:
  bool open_named();
  bool copy_to_named();
  bool link_target();  // true if the target was absent and is this file now
  void forget_name();

  std::string target_;
  std::string own_descriptors_;
  std::string name_;  // empty while it has none
  int descriptor_ = -1;
};

}  // namespace gssl::detail
