#include "gssl/io/line_stream.hpp"

#include <cstring>
#include <span>
#include <vector>

#include "byte_stream.hpp"
#include "gssl/core/error.hpp"
#include "read_ahead.hpp"

namespace gssl {
namespace {

constexpr std::size_t line_buffer_bytes = std::size_t{1} << 18;
constexpr std::size_t longest_line = std::size_t{1} << 30;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

class LineStream::Source {
 public:
  Source(const std::string& path, const RunContext& run)
      : run_(run), bytes_(path, run_, detail::Checksum::none), buffer_(line_buffer_bytes) {}

  bool ready() {
    if (end_of_line_ == nullptr && scanned_ < filled_) {
      end_of_line_ = static_cast<const char*>(
          std::memchr(buffer_.data() + scanned_, '\n', filled_ - scanned_));
      scanned_ = filled_;
    }
    return end_of_line_ != nullptr;
  }

  std::optional<std::string_view> next() {
    while (!ready() && !ended_) fill();
    if (run_.should_stop()) return std::nullopt;
    const char* const begin = buffer_.data() + taken_;
    std::string_view text;
    if (end_of_line_ != nullptr) {
      text = {begin, static_cast<std::size_t>(end_of_line_ - begin)};
      taken_ += text.size() + 1;
      scanned_ = taken_;
      end_of_line_ = nullptr;
    } else {
      if (taken_ == filled_) return std::nullopt;
      text = {begin, filled_ - taken_};
      taken_ = filled_;
    }
    if (line_++ == 0 && text.starts_with(byte_order_mark))
      text.remove_prefix(byte_order_mark.size());
    if (text.ends_with('\r')) text.remove_suffix(1);
    return text;
  }

  std::int64_t line() const { return line_; }
  const std::string& name() const { return bytes_.name(); }

 private:
  void fill() {
    if (taken_ > 0) {
      std::memmove(buffer_.data(), buffer_.data() + taken_, filled_ - taken_);
      filled_ -= taken_;
      scanned_ -= taken_;
      taken_ = 0;
    }
    if (filled_ == buffer_.size()) {
      if (filled_ > longest_line)
        throw Error(ErrorCode::bad_data, name() + ":" + std::to_string(line_ + 1) +
                                             ": a line above 1 GiB; expected a trial a line");
      buffer_.resize(2 * buffer_.size());
    }
    const std::size_t got = read({buffer_.data() + filled_, buffer_.size() - filled_});
    ended_ = got == 0;
    filled_ += got;
  }

  std::size_t read(std::span<char> room) {
    if (!ahead_) {
      const std::size_t got = bytes_.read(room);
      if (is_worth_a_thread())
        ahead_ =
            detail::ReadAhead::start([this](std::span<char> next) { return bytes_.read(next); });
      tried_ = tried_ || got > 0;
      return got;
    }
    if (block_.empty()) block_ = ahead_->next();
    const std::size_t got = block_.copy(room.data(), room.size());
    block_.remove_prefix(got);
    return got;
  }

  // Once something was read: a packed file that is not short. A pipe is read as its lines come.
  bool is_worth_a_thread() const {
    constexpr std::int64_t fewest_bytes = std::int64_t{1} << 16;
    return !tried_ && bytes_.is_file() && bytes_.compression() != "none" &&
           bytes_.stored_bytes() >= fewest_bytes && run_.thread_count() > 1;
  }

  RunContext run_;
  detail::ByteStream bytes_;
  std::vector<char> buffer_;
  std::size_t taken_ = 0;    // handed out
  std::size_t scanned_ = 0;  // looked through for the end of a line
  std::size_t filled_ = 0;
  const char* end_of_line_ = nullptr;  // of the line at taken_, if it is known
  bool ended_ = false;
  std::int64_t line_ = 0;
  bool tried_ = false;  // to start a thread
  std::string_view block_;
  std::unique_ptr<detail::ReadAhead> ahead_;  // last: its thread uses `bytes_`
};

LineStream::LineStream(const std::string& path, const RunContext& run)
    : source_(std::make_unique<Source>(path, run)) {}
LineStream::~LineStream() = default;
LineStream::LineStream(LineStream&&) noexcept = default;

std::optional<std::string_view> LineStream::next() { return source_->next(); }
bool LineStream::ready() { return source_->ready(); }
std::int64_t LineStream::line() const { return source_->line(); }
const std::string& LineStream::name() const { return source_->name(); }

}  // namespace gssl
