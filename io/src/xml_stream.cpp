#include "xml_stream.hpp"

#include <expat.h>

#include <exception>
#include <memory>
#include <new>
#include <string>

#include "fields.hpp"

namespace gssl::detail {
namespace {

constexpr int most_nested_elements = 64;
constexpr std::size_t piece_bytes = std::size_t{1} << 20;

// Expat is C: what a handler throws waits here until it has returned.
struct Run {
  XML_Parser parser = nullptr;
  const std::string* file = nullptr;
  XmlHandler* handler = nullptr;
  std::exception_ptr thrown;
  int depth = 0;

  std::int64_t line() const { return static_cast<std::int64_t>(XML_GetCurrentLineNumber(parser)); }

  template <class Work>
  void guarded(Work&& work) {
    if (thrown) return;
    try {
      work();
    } catch (...) {
      thrown = std::current_exception();
      XML_StopParser(parser, XML_FALSE);
    }
  }
};

std::string_view local_name(const char* name) {
  const std::string_view whole(name);
  const std::size_t colon = whole.rfind(':');
  return colon == std::string_view::npos ? whole : whole.substr(colon + 1);
}

void XMLCALL on_begin(void* user, const char* name, const char** attributes) {
  auto& run = *static_cast<Run*>(user);
  run.guarded([&] {
    if (++run.depth > most_nested_elements)
      bad_line(*run.file, run.line(),
               "elements in elements deeper than " + std::to_string(most_nested_elements));
    run.handler->begin(local_name(name), XmlAttributes(attributes), run.line());
  });
}

void XMLCALL on_end(void* user, const char* name) {
  auto& run = *static_cast<Run*>(user);
  run.guarded([&] {
    --run.depth;
    run.handler->end(local_name(name), run.line());
  });
}

void XMLCALL on_text(void* user, const char* text, int length) {
  auto& run = *static_cast<Run*>(user);
  run.guarded([&] { run.handler->text({text, static_cast<std::size_t>(length)}); });
}

void XMLCALL on_entity(void* user, const XML_Char* name, int, const XML_Char*, int, const XML_Char*,
                       const XML_Char*, const XML_Char*, const XML_Char*) {
  auto& run = *static_cast<Run*>(user);
  run.guarded([&] {
    bad_line(*run.file, run.line(),
             "it declares the entity '" + shown(name) +
                 "'; files with entities of their own are "
                 "not read; write what it stands for");
  });
}

}  // namespace

std::optional<std::string_view> XmlAttributes::find(std::string_view name) const {
  for (const char** pair = pairs_; *pair != nullptr; pair += 2)
    if (local_name(*pair) == name) return std::string_view(pair[1]);
  return std::nullopt;
}

std::string_view XmlAttributes::required(std::string_view name, std::string_view element,
                                         const std::string& file, std::int64_t line) const {
  if (const auto found = find(name)) return *found;
  bad_line(file, line,
           std::string("a <").append(element).append("> without ").append(name) + "; give it one");
}

std::int64_t stream_xml(const TextSource& source, const RunContext& run, XmlHandler& handler) {
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(
      XML_ParserCreate(nullptr), &XML_ParserFree);
  if (!parser) throw std::bad_alloc();
  Run state;
  state.parser = parser.get();
  state.file = &source.name();
  state.handler = &handler;
  XML_SetUserData(parser.get(), &state);
  XML_SetElementHandler(parser.get(), on_begin, on_end);
  XML_SetCharacterDataHandler(parser.get(), on_text);
  XML_SetEntityDeclHandler(parser.get(), on_entity);
  const std::string_view text = source.text();
  std::size_t at = 0;
  do {
    const std::string_view piece = text.substr(at, piece_bytes);
    check_progress(run, static_cast<double>(at) / static_cast<double>(text.size() + 1));
    at += piece.size();
    const XML_Status status =
        XML_Parse(parser.get(), piece.data(), static_cast<int>(piece.size()), at == text.size());
    if (state.thrown) std::rethrow_exception(state.thrown);
    const XML_Error error = XML_GetErrorCode(parser.get());
    if (status == XML_STATUS_OK) {
      source.release(piece);
      continue;
    }
    if (error == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
    bad_line(
        source.name(), state.line(),
        std::string("no XML: ") + XML_ErrorString(error) + "; the file is cut short or damaged");
  } while (at < text.size());
  return state.line();
}

}  // namespace gssl::detail
