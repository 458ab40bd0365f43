// NumPy's .npz: a zip archive of .npy arrays.
#include <algorithm>

#include "fields.hpp"
#include "foreign_files.hpp"
#include "graph_sniffing.hpp"
#include "gssl/core/error.hpp"
#include "number_array.hpp"
#include "points_formats.hpp"
#include "sparse_npz.hpp"
#include "zip_archive.hpp"

namespace gssl::detail {
namespace {

const ZipMember& find_member(const std::vector<ZipMember>& members, const std::string& wanted,
                             const ZipArchive& archive) {
  std::string names;
  for (const ZipMember& member : members) {
    if (member.name == wanted) return member;
    names += (names.empty() ? "" : ", ") + member.name;
  }
  bad_array(archive.name(), "no array " + shown(wanted) + "; it has " + shown(names));
}

// The members, of which at least one is an array.
std::vector<ZipMember> arrays_of(const ZipArchive& archive) {
  std::vector<ZipMember> members = archive.members();
  if (members.empty()) {
    bad_array(archive.name(), "an archive without arrays; expected at least one");
  }
  if (std::ranges::none_of(members, &ZipMember::is_array)) {
    std::string names;
    for (const ZipMember& member : members) names += member.name + "\n";
    refuse_archive(names, archive.name());
  }
  return members;
}

// convert(array, name) of the member.
template <class Convert>
auto read_member(const ZipArchive& archive, const ZipMember& member, Convert&& convert) {
  ByteBuffer unpacked;
  const std::string name = archive.name() + ":" + shown(member.name);
  return convert(parse_npy(archive.content(member, unpacked), name), name);
}

// Labels of an array with so many columns.
auto in_columns(std::int64_t columns) {
  return [columns](const NumberArray& array, const std::string& name) {
    return to_labels(array, name, columns);
  };
}

}  // namespace

void read_npz(const TextSource& source, const std::string& wanted, const PointsReadOptions& options,
              PointsFile& file) {
  if (wanted.empty() && is_sparse_npz(source.text())) {
    file.points = sparse_rows(read_sparse_arrays(source.text(), source.name()),
                              source.text().size(), source.name());
    if (!options.label_column.empty() && options.feature_columns < 0 && !options.label_optional)
      throw Error(ErrorCode::bad_data,
                  "column of labels: " + source.name() +
                      " is a sparse matrix, which has no labels; give them as LABELS, a file of "
                      "'node label', .npy, .npz or idx",
                  Remedy::label_column);
    return;
  }
  const ZipArchive archive(source.text(), source.name());
  const std::vector<ZipMember> members = arrays_of(archive);
  const ZipMember* chosen = &*std::ranges::find_if(members, &ZipMember::is_array);
  for (const ZipMember& member : members) {
    if (member.name == "X") chosen = &member;
  }
  if (!wanted.empty()) chosen = &find_member(members, wanted, archive);
  file.points = read_member(archive, *chosen, to_points);
  const bool has_labels = std::ranges::any_of(
      members, [&](const ZipMember& member) { return member.name == options.label_column; });
  if (options.label_column.empty() ||
      ((options.feature_columns >= 0 || options.label_optional) && !has_labels))
    return;
  const ZipMember& labels = find_member(members, options.label_column, archive);
  file.labels = read_member(archive, labels, in_columns(1));
  if (file.labels.size() != static_cast<std::size_t>(file.points.rows())) {
    bad_array(source.name(), std::to_string(file.labels.size()) + " labels in " +
                                 shown(labels.name) + "; expected one for each of the " +
                                 std::to_string(file.points.rows()) + " rows of " +
                                 shown(chosen->name));
  }
}

std::vector<std::string> npz_labels(std::string_view bytes, const std::string& name,
                                    const std::string& wanted, std::int64_t columns) {
  const ZipArchive archive(bytes, name);
  const std::vector<ZipMember> members = arrays_of(archive);
  const bool only = wanted.empty() && members.size() == 1;
  const ZipMember& member =
      only ? members.front() : find_member(members, wanted.empty() ? "y" : wanted, archive);
  return read_member(archive, member, in_columns(columns));
}

}  // namespace gssl::detail
