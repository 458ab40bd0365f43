#!/usr/bin/awk -f
# Makes plain comments of C those of Doxygen: the first describes the file, one before a declaration describes it, one
# behind a declaration what stands before it; a line of dashes is a heading and none of these. What would be a command to
# Doxygen is escaped; indented lines are code.
function escaped(text) {
  gsub(/[\\@<>&#%$]/, "\\\\&", text)
  return text
}

/^\/\* ----/ { next }

!inside && (at = index($0, "/* ")) {
  before = substr($0, 1, at - 1)
  text = substr($0, at + 3)
  mark = before ~ /[^ ]/ ? "/**< " : (seen++ ? "/** " : "/** \\file\n * ")
  inside = text !~ /\*\/$/
  print before mark escaped(text)
  next
}

inside {
  if ($0 ~ /^ \*   /) {
    if (!code) print " * \\verbatim"
    code = 1
    print
    next
  }
  if (code) { print " * \\endverbatim"; code = 0 }
  inside = $0 !~ /\*\/$/
  print escaped($0)
  next
}

{ print }
