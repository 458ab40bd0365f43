// Files of models and sessions: what is put comes back, and nothing else is believed.

#include <limits>

#include "gssl/io/points_reader.hpp"
#include "gssl/io/record_file.hpp"
#include "io_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using namespace std::string_literals;
using Catch::Contains;

namespace {

Record example() {
  Record child;
  child.put("leaf", std::vector<std::int32_t>{-1, 2147483647});
  Record record;
  record.put("name", std::string_view("zero \0 and \xff byte", 16));
  record.put("bias", -0.0);
  record.put("tiny", std::vector<double>{5e-324, std::numeric_limits<double>::quiet_NaN()});
  record.put("count", std::int64_t{-1} << 62);
  record.put("short", std::vector<float>{0.1F});
  record.put("none", std::vector<double>{});
  record.put("classes", std::vector<std::string>{"", "größer", "b"});
  record.put("points", Points::sparse(2, 9, {0, 1, 3}, {4, 0, 8}, std::vector<double>{1, .5, 2}));
  record.put("tree/0", child);
  return record;
}

std::string message_of(const TemporaryDirectory& directory, const std::string& bytes,
                       const std::string& kind = "model") {
  const std::string path = directory.file("x.model", bytes);
  const auto error = error_of([&] { read_record(path, kind); });
  if (!error) return {};
  CHECK(error->code() == ErrorCode::bad_data);
  CHECK_THAT(error->what(), Catch::StartsWith(path + ": "));
  return error->what();
}

// What a person sees of a byte that was changed: the message, whatever it is.
bool is_refused(const TemporaryDirectory& directory, const std::string& bytes) {
  return !message_of(directory, bytes).empty();
}

}  // namespace

TEST_CASE("A record comes back from its file with the bits it had", "[record-file]") {
  const TemporaryDirectory directory;
  const std::string path = directory.path() / "a.model";
  write_record(path, "model", example());
  const RecordFile back = read_record(path, "model");
  CHECK(back.header.kind == "model");
  CHECK_FALSE(back.header.gssl_version.empty());
  CHECK(record_bytes("model", back.record) == read_file(path));
  CHECK(std::signbit(back.record.real("bias")));
  CHECK(std::isnan(back.record.reals("tiny", 2)[1]));
  CHECK(back.record.text("name").size() == 16);
  CHECK(back.record.texts("classes") == std::vector<std::string>{"", "größer", "b"});
  CHECK(back.record.points("points").value(1, 8) == 2.0);
  CHECK(back.record.child("tree/0").integers("leaf", 2)[1] == 2147483647);
  CHECK(is_record_file(path));
}

TEST_CASE("A record is told by its start, packed or not", "[record-file]") {
  const TemporaryDirectory directory;
  const std::string bytes = record_bytes("model", example());
  const auto is_record = [&](const std::string& content) {
    return is_record_file(directory.file("r", content));
  };
  CHECK(is_record("\xEF\xBB\xBF" + bytes));
  CHECK(is_record(gzip(bytes)));
  CHECK(is_record(xz(bytes)));
  CHECK_FALSE(is_record(gzip("1 2\n")));
  CHECK_FALSE(is_record(""));
  CHECK_FALSE(is_record(gzip(bytes).substr(0, 12)));
}

TEST_CASE("The bytes of a record are the same whenever they are made", "[record-file]") {
  CHECK(record_bytes("model", example()) == record_bytes("model", example()));
  CHECK(record_bytes("model", Record()).starts_with("#gssl-record 1\n{\"format\":1,"));
}

TEST_CASE("An empty record is a file too", "[record-file]") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("e", record_bytes("session", Record()));
  CHECK(read_record(path, "session").record.entries().empty());
}

TEST_CASE("A record file with any byte changed or cut off is refused", "[record-file]") {
  const TemporaryDirectory directory;
  const std::string bytes = record_bytes("model", example());
  for (std::size_t at = 0; at < bytes.size(); at += 7) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    CHECK(is_refused(directory, changed));
    CHECK(is_refused(directory, bytes.substr(0, at)));
  }
  CHECK_THAT(message_of(directory, bytes.substr(0, bytes.size() - 1)), Contains("cut off"));
  std::string flipped = bytes;
  flipped[bytes.size() / 2] = static_cast<char>(flipped[bytes.size() / 2] ^ 1);
  CHECK_THAT(message_of(directory, flipped), Contains("damaged: its checksum is"));
}

TEST_CASE("A record file of another kind, version or program says what it is", "[record-file]") {
  const TemporaryDirectory directory;
  const std::string bytes = record_bytes("session", Record());
  CHECK_THAT(message_of(directory, bytes), Contains("holds a session; expected a model"));
  CHECK_THAT(message_of(directory, "#gssl-record 2\n{}\n"), Contains("is of format 2"));
  CHECK_THAT(message_of(directory, "u v\n1 2\n"), Contains("is no file of gssl fit"));
  CHECK_THAT(message_of(directory, ""), Contains("is no file of gssl fit"));
  CHECK(error_of([] { read_record("no such file", "model"); })->code() == ErrorCode::cannot_open);
}

TEST_CASE("A forged header that its checksum confirms is refused all the same", "[record-file]") {
  const TemporaryDirectory directory;
  Record record;
  record.put("bias", 1.0);
  const std::string bytes = record_bytes("model", record);
  // With the checksum of what it says now.
  const auto forged = [&](const std::string& from, const std::string& to) {
    std::string text = bytes.substr(0, bytes.size() - 15);
    text.replace(text.find(from), from.size(), to);
    std::uint32_t crc = 0xFFFFFFFFU;
    for (const char c : text) {
      crc ^= static_cast<unsigned char>(c);
      for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
    }
    char line[16];
    std::snprintf(line, sizeof line, "crc32 %08x\n", ~crc);
    return message_of(directory, text + line);
  };
  CHECK(forged("bias", "bias").empty());
  CHECK_THAT(forged("\"length\":1", "\"length\":2305843009213693952"), Contains("outside"));
  CHECK_THAT(forged("\"offset\":0", "\"offset\":-8"), Contains("damaged"));
  CHECK_THAT(forged("float64", "complex"), Contains("no known type"));
  CHECK_THAT(forged("\"name\":\"bias\"", "\"named\":0"), Contains("lacks a field"));
  CHECK_THAT(forged("\"entries\":[", "\"entries\":[7,"), Contains("lacks a field"));
  CHECK_THAT(forged("{\"format\"", "[\"format\""), Contains("no JSON"));
}

TEST_CASE("A block stays in its file, and what is written to it does not", "[record-file]") {
  const TemporaryDirectory directory;
  Record record;
  record.put("about", std::string_view("who"));
  record.put("big", std::vector<double>(1000, 1.0));
  Block scores(300, 5);
  for (int i = 0; i < 1500; ++i) scores.data()[i] = 0.25 * i;
  record.put("scores", scores);
  const std::string bytes = record_bytes("checkpoint", record);
  const auto wanted = [](std::string_view name) { return name != "big"; };
  // In the file; behind a mark, where it cannot stay; packed.
  for (const std::string& content : {bytes, "\xEF\xBB\xBF" + bytes, gzip(bytes)}) {
    const std::string path = directory.file("r", content);
    BlockInFile found = read_block_in_file(path, "checkpoint", "scores", wanted, 0, 2);
    CHECK(found.block == scores);
    CHECK(found.again == scores);
    CHECK(found.file.record.text("about") == "who");
    CHECK(found.file.record.has("big") == (content != bytes));
    found.again(299, 4) = -1.0;
    found.block(0, 0) = -2.0;
    CHECK(found.again(0, 0) == 0.0);
    CHECK(found.block(299, 4) == scores(299, 4));
    const Block moved = std::move(found.again);
    found = {};
    CHECK(moved(299, 4) == -1.0);
    CHECK(read_file(path) == content);
  }
  const std::string path = directory.file("r", bytes);
  CHECK(read_block_in_file(path, "checkpoint", "none", wanted).block.rows() == 0);
  CHECK(error_of([&] { read_block_in_file(path, "model", "scores", wanted); })->code() ==
        ErrorCode::bad_data);
  CHECK(error_of([&] { read_block_in_file("none", "checkpoint", "scores", wanted); })->code() ==
        ErrorCode::cannot_open);
  for (std::size_t at = 20; at < bytes.size(); at += 1001) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    const std::string damaged = directory.file("d", changed);
    CHECK(error_of([&] {
            read_block_in_file(damaged, "checkpoint", "scores", wanted, 0, 2);
          })->code() == ErrorCode::bad_data);
  }
}

TEST_CASE("A reader of points that is handed a model says what it is", "[record-file]") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("m", record_bytes("model", example()));
  const auto error = error_of([&] { read_points(path); });
  REQUIRE(error);
  CHECK_THAT(error->what(), Contains("is a model of gssl fit"));
}
