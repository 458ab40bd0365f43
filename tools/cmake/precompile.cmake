# Parsing headers is half of the time that a build takes. These parse what most files of a target
# include once. Each file still includes what it uses: the dev and bench presets are built without.
option(GSSL_PRECOMPILE "Precompile headers" OFF)

# gssl_precompile(TARGET…): arguments as those of target_precompile_headers.
function(gssl_precompile target)
  if(GSSL_PRECOMPILE)
    target_precompile_headers(${target} ${ARGN})
    # ccache needs it to know what a precompiled header holds.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  endif()
endfunction()
