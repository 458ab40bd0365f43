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
  ${CMAKE_CURRENT_LIST_DIR}/FindZstd.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gssl)

if(GSSL_WITH_SUITESPARSE)
  set(GSSL_PKGCONFIG_CHOLMOD "-lcholmod")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/gssl.pc.in ${CMAKE_CURRENT_BINARY_DIR}/gssl.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gssl.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
