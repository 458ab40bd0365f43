// What the system says about memory, read from files of a made-up system.
#include <filesystem>

#include "gssl/core/machine.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;
namespace fs = std::filesystem;

constexpr double gigabyte = 1024.0 * 1024.0 * 1024.0;

// 8 GB free, 1 GB held, in no group.
class System {
 public:
  System() {
    write("proc/meminfo", "MemTotal: 16777216 kB\nMemAvailable:    8388608 kB\n");
    write("proc/self/status",
          "Name:\tgssl\nVmSize:\t 2097152 kB\nVmRSS:\t 1048576 kB\nRssAnon:\t 524288 kB\n"
          "VmData:\t 1048576 kB\n");
  }
  void write(const std::string& name, const std::string& text) const {
    const fs::path path = folder_.path() / name;
    fs::create_directories(path.parent_path());
    test::write_file(path, text);
  }
  MachineFiles files() const {
    return {(folder_.path() / "proc").string(), (folder_.path() / "groups").string()};
  }

 private:
  test::TemporaryDirectory folder_;
};

}  // namespace

TEST_CASE("the memory limit is nine tenths of what is free, with what the process holds",
          "[memory]") {
  const System system;
  const MemoryLimit limit = memory_limit(0, system.files());
  CHECK(static_cast<double>(limit.bytes) == Approx(0.9 * 9.0 * gigabyte));
  CHECK(limit.set_by == "free memory");
  CHECK(limit.wanted(0.9 * 4.0 * gigabyte) == Approx(4.0 * gigabyte));
}

TEST_CASE("the least of all limits counts, and says who set it", "[memory]") {
  const System system;
  const MemoryLimit asked = memory_limit(std::size_t{2} << 30, system.files(), "the command");
  CHECK(static_cast<double>(asked.bytes) == Approx(0.9 * 2.0 * gigabyte));
  CHECK(asked.set_by == "the command");

  SECTION("a control group of version 2, and those above it") {
    system.write("proc/self/cgroup", "0::/user/job\n");
    system.write("groups/user/job/memory.max", "max\n");
    system.write("groups/user/memory.max", "3221225472\n");
    const MemoryLimit limit = memory_limit(0, system.files());
    CHECK(static_cast<double>(limit.bytes) == Approx(0.9 * 3.0 * gigabyte));
    CHECK(limit.set_by == "memory.max of /user");
    CHECK(memory_limit(std::size_t{1} << 30, system.files()).set_by == "the caller");
  }
  SECTION("the root of a container, whose path is of the host") {
    system.write("proc/self/cgroup", "0::/docker/0123\n");
    system.write("groups/memory.max", "1073741824\n");
    CHECK(memory_limit(0, system.files()).set_by == "memory.max of /");
  }
  SECTION("a control group of version 1") {
    system.write("proc/self/cgroup", "5:cpu:/a\n4:memory:/a/b\n");
    system.write("groups/memory/a/b/memory.limit_in_bytes", "4294967296\n");
    const MemoryLimit limit = memory_limit(0, system.files());
    CHECK(static_cast<double>(limit.bytes) == Approx(0.9 * 4.0 * gigabyte));
    CHECK(limit.set_by == "memory.limit_in_bytes of /a/b");
  }
}

TEST_CASE("a system that says nothing sets no limit", "[memory]") {
  const test::TemporaryDirectory empty;
  const MachineFiles files{empty.path().string(), empty.path().string()};
  CHECK(memory_limit(0, files).bytes == 0);
  CHECK(memory_room({}) == 0);
  CHECK(held_memory(files).resident == 0);
}

TEST_CASE("a process that holds more than its limit has no room, which is not the same as no limit",
          "[memory]") {
  CHECK(memory_room({.bytes = 1, .set_by = "the caller"}) == 1);
  CHECK(held_memory().resident > 0);
  CHECK(held_memory().anonymous <= held_memory().resident);
}

TEST_CASE("sizes of memory are read and written with powers of 1024", "[memory]") {
  CHECK(parse_bytes("4096") == 4096);
  CHECK(parse_bytes("8G") == std::size_t{8} << 30);
  CHECK(parse_bytes("8GiB") == std::size_t{8} << 30);
  CHECK(parse_bytes("8gb") == std::size_t{8} << 30);
  CHECK(parse_bytes("1.5k") == 1536);
  CHECK(parse_bytes("2T") == std::size_t{2} << 40);
  for (const char* wrong : {"", "G", "0", "-1G", "8X", "1e400", "nan", "8 G", "0.1"}) {
    INFO(wrong);
    const auto error = test::error_of([&] { parse_bytes(wrong); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::usage);
  }
  CHECK(bytes_text(0.0) == "0");
  CHECK(bytes_text(999.0) == "999");
  CHECK(bytes_text(1536.0) == "1.50K");
  CHECK(bytes_text(gigabyte) == "1.00G");
  CHECK(bytes_text(12.34 * gigabyte) == "12.4G");
  for (const double bytes : {1001.0, 123456.0, 9.87654e8, 3.21e10, 4.4e13})
    CHECK(static_cast<double>(parse_bytes(bytes_text(bytes))) >= bytes);
}

TEST_CASE("a refusal names what would do", "[memory]") {
  const MemoryError error("spectrum", std::size_t{3} << 30, std::size_t{1} << 30);
  CHECK(error.code() == ErrorCode::out_of_memory);
  CHECK(error.needed() == std::size_t{3} << 30);
  CHECK(std::string(error.what()) ==
        "spectrum: needs 3.00G of memory beside its input and may take 1.00G");
}
