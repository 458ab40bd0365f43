# gssl_library(TARGET NAME): what the three libraries share. NAME is what gssl::NAME calls it.
#
# Archives unless BUILD_SHARED_LIBS is on. A shared library shows all its symbols, whatever
# CMAKE_CXX_VISIBILITY_PRESET its user compiles with: there is no list of exports to keep in step
# with the headers, and what the headers declare in `detail` is called across the border, too.
function(gssl_library target name)
  add_library(gssl::${name} ALIAS ${target})
  # No macro is defined for a shared build: its objects are those of an archive.
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${name} DEFINE_SYMBOL ""
    VERSION ${GSSL_SOVERSION}.${PROJECT_VERSION} SOVERSION ${GSSL_SOVERSION})
  if(BUILD_SHARED_LIBS)
    set_property(TARGET ${target} PROPERTY CXX_VISIBILITY_PRESET)  # unset: the compiler's own
    set_target_properties(${target} PROPERTIES VISIBILITY_INLINES_HIDDEN OFF INSTALL_RPATH "$ORIGIN")
  endif()
  install(TARGETS ${target} EXPORT gsslTargets FILE_SET HEADERS)
endfunction()
