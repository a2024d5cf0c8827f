# Modules by which the command runs on ranks, one for each MPI there is. The command finds them at run time; where there is
# none nothing is built, and nothing else knows of them.
include(GNUInstallDirs)
foreach(engine openmpi mpich)
  set(package_openmpi ompi-c)
  set(package_mpich mpich)
  pkg_check_modules(MPI_${engine} QUIET IMPORTED_TARGET ${package_${engine}})
  if(MPI_${engine}_FOUND)
    add_library(dcpn_${engine} MODULE cli/ranks/mpi.c)
    target_compile_definitions(dcpn_${engine} PRIVATE _POSIX_C_SOURCE=200809L DCPN_MPI_NAME="${engine} ${MPI_${engine}_VERSION}")
    target_include_directories(dcpn_${engine} PRIVATE ${PROJECT_SOURCE_DIR}/cli ${PROJECT_SOURCE_DIR}/include)
    target_include_directories(dcpn_${engine} SYSTEM PRIVATE ${MPI_${engine}_INCLUDE_DIRS})
    target_link_libraries(dcpn_${engine} PRIVATE ${MPI_${engine}_LINK_LIBRARIES})
    set_target_properties(dcpn_${engine} PROPERTIES PREFIX "" OUTPUT_NAME dcpn-${engine}
      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
    install(TARGETS dcpn_${engine} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/dcpn COMPONENT ranks)
  endif()
endforeach()
