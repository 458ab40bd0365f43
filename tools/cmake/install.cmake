# Install rules: headers, libraries, find_package(gssl) and pkg-config.
include(CMakePackageConfigHelpers)

install(EXPORT gsslTargets NAMESPACE gssl:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gssl)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/gsslConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/gsslConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gssl)
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/gsslConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/gsslConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/gsslConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FindCHOLMOD.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FindISAL.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FindZstd.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gssl)

# The prefix is found from where gssl.pc lies, so that an installed tree may be moved.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(GSSL_PKGCONFIG_PREFIX "${CMAKE_INSTALL_PREFIX}")
  set(GSSL_PKGCONFIG_LIBDIR "${CMAKE_INSTALL_FULL_LIBDIR}")
  set(GSSL_PKGCONFIG_INCLUDEDIR "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
else()
  file(RELATIVE_PATH GSSL_PKGCONFIG_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" /prefix)
  string(REGEX REPLACE "/$" "" GSSL_PKGCONFIG_PREFIX "\${pcfiledir}/${GSSL_PKGCONFIG_PREFIX}")
  set(GSSL_PKGCONFIG_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(GSSL_PKGCONFIG_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
set(GSSL_PKGCONFIG_LIBS "-lzstd -lz -lisal -lbz2 -llzma -lexpat -lgomp -ldl -lpthread")
if(GSSL_WITH_SUITESPARSE)
  string(PREPEND GSSL_PKGCONFIG_LIBS "-lcholmod ")
endif()
set(GSSL_PKGCONFIG_LIBS_PRIVATE "")
if(BUILD_SHARED_LIBS)
  set(GSSL_PKGCONFIG_LIBS_PRIVATE "${GSSL_PKGCONFIG_LIBS}")
  set(GSSL_PKGCONFIG_LIBS "-lgomp")  # for the parallel loops of the headers
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/gssl.pc.in ${CMAKE_CURRENT_BINARY_DIR}/gssl.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gssl.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
