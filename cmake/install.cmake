# What is installed: headers, both libraries, the command, its manual page and completions, and what find_package and pkg-config need.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/dcpn)

install(DIRECTORY include/dcpn TYPE INCLUDE FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "layout" EXCLUDE)
install(TARGETS dcpn EXPORT dcpn_shared)
install(TARGETS dcpn_static EXPORT dcpn_static)
install(TARGETS dcpn_command)
install(FILES ${PROJECT_BINARY_DIR}/dcpn.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_BINARY_DIR}/dcpn.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME dcpn)
install(FILES ${PROJECT_BINARY_DIR}/dcpn.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _dcpn)
install(FILES ${PROJECT_BINARY_DIR}/dcpn.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES LICENSE TYPE DOC)

# Two export sets: a program that links the shared library does not need the packages that it was built with.
install(EXPORT dcpn_shared NAMESPACE dcpn:: FILE dcpn-shared.cmake DESTINATION ${package_dir})
install(EXPORT dcpn_static NAMESPACE dcpn:: FILE dcpn-static.cmake DESTINATION ${package_dir})
write_basic_package_version_file(dcpn-config-version.cmake COMPATIBILITY SameMinorVersion)
configure_file(cmake/dcpn-config.cmake.in dcpn-config.cmake @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/dcpn-config.cmake ${PROJECT_BINARY_DIR}/dcpn-config-version.cmake DESTINATION ${package_dir})

# The pkg-config file finds the prefix from its own place, so that an installed tree may be moved.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  message(FATAL_ERROR "CMAKE_INSTALL_LIBDIR and CMAKE_INSTALL_INCLUDEDIR must be relative to the prefix")
endif()
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" prefix_from_pc "${prefix_from_pc}")
configure_file(cmake/dcpn.pc.in dcpn.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/dcpn.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
