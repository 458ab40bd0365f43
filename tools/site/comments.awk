#!/usr/bin/awk -f
# Makes plain comments those of Doxygen: the block after #pragma once describes the file, a block before a declaration
# describes it, a comment behind one describes what stands before it. What would be a command to Doxygen is escaped.
function escaped(text) {
  gsub(/\\/, "\\\\\\\\", text)
  gsub(/[@<>&#%$]/, "\\\\&", text)
  return text
}

# Where `//` begins a comment that is not inside a string: 0 if nowhere.
function comment_start(line,   i, c, quoted) {
  for (i = 1; i < length(line); ++i) {
    c = substr(line, i, 1)
    if (c == "\\") { ++i; continue }
    if (c == "\"") quoted = !quoted
    if (!quoted && substr(line, i, 2) == "//") return i
  }
  return 0
}

/^#pragma once/ { print; at_head = 1; next }

/^ *\/\// {
  text = $0
  match(text, /^ *\/\/ ?/)
  plain = substr(text, RLENGTH + 1)
  body = escaped(plain)
  indent = substr(text, 1, match(text, /\//) - 1)
  if (!inside) {
    if (at_head) print indent "/// \\file"
    print indent "/// " body
    inside = 1
    next
  }
  # Indented lines are code or tables: kept as they stand.
  if (body ~ /^  / && !verbatim) { print indent "/// \\verbatim"; verbatim = 1 }
  if (verbatim && body !~ /^  / && body != "") { print indent "/// \\endverbatim"; verbatim = 0 }
  print indent "/// " (verbatim ? plain : body)
  next
}

{
  if (verbatim) { print "/// \\endverbatim"; verbatim = 0 }
  if (inside) { inside = 0; if (at_head) at_head = 0 }
  start = comment_start($0)
  if (start > 1 && substr($0, 1, start - 1) ~ /[;,{]/ && $0 !~ /^#/ && substr($0, 1, start - 1) !~ /namespace|^ *}/) {
    print substr($0, 1, start - 1) "///< " escaped(substr($0, start + 2))
    next
  }
  if ($0 !~ /^$/) at_head = 0
  print
}
