# Parsing headers is half of the time that a build takes. These parse what most files of a target
# include once. Each file still includes what it uses: the dev preset is built without.
set(GSSL_PRECOMPILE none CACHE STRING "Precompiled headers in: none, programs (tools, tests) or all")
set_property(CACHE GSSL_PRECOMPILE PROPERTY STRINGS none programs all)

# gssl_precompile_library(TARGET…), gssl_precompile_program(TARGET…): arguments as those of
# target_precompile_headers.
function(gssl_precompile_library target)
  if(GSSL_PRECOMPILE STREQUAL "all")
    target_precompile_headers(${target} ${ARGN})
    # ccache needs it to know what a precompiled header holds.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
    # GCC 12 forgets which precompiled headers are the system's, and warns of bounds in std::string
    # that are kept. The dev preset looks at these.
    target_compile_options(${target} PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>)
  endif()
endfunction()

function(gssl_precompile_program target)
  if(GSSL_PRECOMPILE STREQUAL "programs")
    set(GSSL_PRECOMPILE all)
  endif()
  gssl_precompile_library(${target} ${ARGN})
endfunction()
