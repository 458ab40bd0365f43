# Parsing headers is half of the time that a build takes. These parse what most files of a target
# include once. Each file still includes what it uses: the dev preset is built without.
#
#   none      no file
#   programs  what tools and tests take from elsewhere
#   all       what the libraries take from elsewhere, too
#   whole     and our own public headers; and about fifteen files of a room are compiled as one: half
#             the time of a build from nothing, but a change of one header builds everything again
set(GSSL_PRECOMPILE none CACHE STRING "Precompiled headers: none, programs, all or whole")
set_property(CACHE GSSL_PRECOMPILE PROPERTY STRINGS none programs all whole)

# The public headers of a library; the adaptor of Boost's graphs would bring all of these along.
function(gssl_public_headers variable library)
  get_target_property(headers ${library} HEADER_SET)
  list(FILTER headers EXCLUDE REGEX "/bgl\\.hpp$")
  list(TRANSFORM headers REPLACE "^include/(.*)$" "<\\1>")
  set(${variable} ${headers} PARENT_SCOPE)
endfunction()

# Compiles the sources of a room (libgraph/src/solve with its folders) as one file, or as 2, 4, 8 …
# where there are more than 24 each: a precompiled header costs every unit a second or two before its
# first line. The name of a source decides its group, so a new file meets its own group alone. Names in
# the unnamed namespaces of a room are therefore different.
function(gssl_compile_together target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    string(REGEX REPLACE "^(src/[^/]+)/.*$" "\\1" folder "${folder}")
    string(MAKE_C_IDENTIFIER "in_${folder}" folder)
    list(APPEND folders ${folder})
    list(APPEND ${folder} ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    list(LENGTH ${folder} size)
    set(groups 1)
    while(size GREATER 24)
      math(EXPR groups "${groups} * 2")
      math(EXPR size "${size} / 2")
    endwhile()
    foreach(source IN LISTS ${folder})
      get_filename_component(name ${source} NAME)
      string(MD5 hash ${name})
      string(SUBSTRING ${hash} 0 4 hash)
      math(EXPR group "0x${hash} % ${groups}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# gssl_precompile_library(TARGET… [OURS libraries…]), gssl_precompile_program(…): arguments as those
# of target_precompile_headers; OURS are the libraries whose headers a whole one holds.
function(gssl_precompile_library target)
  if(NOT GSSL_PRECOMPILE MATCHES "^(all|whole)$")
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "OURS" ${ARGN})
  target_precompile_headers(${target} ${ARG_UNPARSED_ARGUMENTS})
  if(GSSL_PRECOMPILE STREQUAL "whole")
    foreach(library IN LISTS ARG_OURS)
      gssl_public_headers(headers ${library})
      target_precompile_headers(${target} PRIVATE ${headers})
    endforeach()
    gssl_compile_together(${target})
  endif()
  # ccache needs it to know what a precompiled header holds.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  # GCC 12 forgets which precompiled headers are the system's, and warns of bounds in std::string
  # that are kept. The dev preset looks at these.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>)
endfunction()

function(gssl_precompile_program target)
  if(GSSL_PRECOMPILE STREQUAL "programs")
    set(GSSL_PRECOMPILE all)
  endif()
  gssl_precompile_library(${target} ${ARGN})
endfunction()
