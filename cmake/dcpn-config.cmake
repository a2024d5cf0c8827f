# find_package(dcpn) gives dcpn::dcpn, the shared library, and dcpn::dcpn_static, if what the static one needs is there.
include(${CMAKE_CURRENT_LIST_DIR}/dcpn-shared.cmake)

find_package(OpenMP QUIET COMPONENTS C)
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(JANSSON QUIET IMPORTED_TARGET jansson)
  pkg_check_modules(COMPRESSION QUIET IMPORTED_TARGET zlib libzstd liblzma)
endif()
if(OpenMP_C_FOUND AND TARGET PkgConfig::JANSSON AND TARGET PkgConfig::COMPRESSION)
  include(${CMAKE_CURRENT_LIST_DIR}/dcpn-static.cmake)
endif()
