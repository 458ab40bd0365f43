# Parsing headers is half of the time that a build takes. gssl_precompile(TARGET HEADERS…) parses those
# that most files of TARGET include once. Each file still includes what it uses: the libraries of
# the release preset and all of the dev preset are built without.
set(GSSL_PRECOMPILE none CACHE STRING "Precompiled headers in: none, programs (tools, tests) or all")
set_property(CACHE GSSL_PRECOMPILE PROPERTY STRINGS none programs all)

function(gssl_precompile target)
  get_target_property(type ${target} TYPE)
  if(GSSL_PRECOMPILE STREQUAL "all" OR (GSSL_PRECOMPILE STREQUAL "programs" AND type STREQUAL "EXECUTABLE"))
    target_precompile_headers(${target} PRIVATE ${ARGN})
    # ccache needs it to know what a precompiled header holds.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  endif()
endfunction()
