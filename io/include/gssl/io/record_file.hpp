#pragma once
// The file of a Record: a model, an online session between two trials, a checkpoint.
//
//   gssl::OutputFile out("iris.model");                       // opened before the long work
//   gssl::write_record(out, "model", record);                 // and appears by rename
//   gssl::RecordFile file = gssl::read_record("iris.model", "model");
//   file.record.real("bias");
//
// Layout, little-endian everywhere:
//   line 1   "#gssl-record 1": the mark and the version of the format
//   line 2   a JSON object: format, kind, gssl (the version that wrote it), body (its bytes), and
//            entries, each of name, type (text|float64|float32|int32|int64), length (in elements),
//            offset (in the body), crc32 (of its bytes); blanks behind it, so that the body begins at
//            a multiple of 64
//   body     the values one after the other, each at an offset that is a multiple of 8
//   line     "crc32 XXXXXXXX" over all bytes before it
// The same record of the same kind gives the same bytes on every machine. Reading refuses, as
// ErrorCode::bad_data with the reason: a file of another program, one that is cut off or damaged,
// one of a newer format, one of another kind. gzip and zstd are unpacked on the way. Memory: the
// file and the record.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/data/record.hpp"
#include "gssl/io/output_file.hpp"

namespace gssl {

struct RecordHeader {
  std::string kind;          // "model", "session", "checkpoint"
  std::string gssl_version;  // of the program that wrote it; set by read_record()
};

struct RecordFile {
  RecordHeader header;
  Record record;
};

// The bytes of the file. O(bytes).
std::string record_bytes(const std::string& kind, const Record& record);

// A value of a record that is held elsewhere.
struct RecordEntry {
  std::string name;
  const Record::Value* value;
};

// Throws ErrorCode::io_failure. The second copies nothing.
void write_record(OutputFile& out, const std::string& kind, const Record& record);
void write_record(OutputFile& out, const std::string& kind,
                  const std::vector<RecordEntry>& entries);
void write_record(const std::string& path, const std::string& kind, const Record& record);

// `kind` is what the caller can use; empty: any. `most_held`: bytes of a text that has to be held, as
// of a pipe; 0: no limit. Throws ErrorCode::cannot_open, ErrorCode::io_failure, MemoryError and
// ErrorCode::bad_data "FILE: found; expected; remedy".
RecordFile read_record(const std::string& path, const std::string& kind, std::size_t most_held = 0);

// A record file of which one block of numbers stays in the file.
struct BlockInFile {
  RecordFile file;  // what was wanted of the rest
  // The same numbers twice. Each is a map of the file that may be written to: what is, is neither in
  // the file nor in the other. Memory: the pages that were written to. Where the file is packed, or
  // a pipe, or of an older gssl, both are in memory. The file must not be changed in place while
  // they are in use; one that is renamed to its path does no harm.
  Block block, again;
};
// `block` is the name that the block was put under; without such a block both have no rows. `wanted`
// says of other names whether they are taken. Throws as read_record().
BlockInFile read_block_in_file(const std::string& path, const std::string& kind,
                               const std::string& block,
                               const std::function<bool(std::string_view)>& wanted,
                               std::size_t most_held = 0, int threads = 1);

// Whether the file begins as a record does (unpacked or not). False for "-", and where it cannot
// be read.
bool is_record_file(const std::string& path);
// What its header says that it holds, unchecked; empty where is_record_file() is false.
std::string record_kind(const std::string& path);

}  // namespace gssl
