# Headers, library, CMake package and pkg-config file.

include(CMakePackageConfigHelpers)
set(warpport_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/warpport)

install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/include/warpport DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(FILES ${warpport_single_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS warpport warpport_headers EXPORT warpport)
install(EXPORT warpport NAMESPACE warpport:: FILE warpportTargets.cmake DESTINATION ${warpport_package_dir})

configure_package_config_file(cmake/warpportConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/warpportConfig.cmake
  INSTALL_DESTINATION ${warpport_package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/warpportConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/warpportConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/warpportConfigVersion.cmake
  cmake/WarpportBackends.cmake cmake/WarpportKernels.cmake cmake/WarpportAmalgamate.cmake cmake/WarpportCheck.cmake
  DESTINATION ${warpport_package_dir})

# A static library leaves its own needs to the program that links it, so for one they are public.
set(warpport_pc_requires libffi)
if(LIBDW_FOUND)
  string(APPEND warpport_pc_requires " libdw")
endif()
if(WARPPORT_CJSON_FOUND)
  string(APPEND warpport_pc_requires " libcjson")
endif()
set(warpport_pc_libs "-lm -pthread")
foreach(lib IN LISTS CMAKE_DL_LIBS)
  string(APPEND warpport_pc_libs " -l${lib}")
endforeach()
get_target_property(type warpport TYPE)
if(type STREQUAL "STATIC_LIBRARY")
  set(warpport_pc_needs "Requires: ${warpport_pc_requires}\nLibs: -L\${libdir} -lwarpport ${warpport_pc_libs}")
else()
  set(warpport_pc_needs
    "Requires.private: ${warpport_pc_requires}\nLibs: -L\${libdir} -lwarpport\nLibs.private: ${warpport_pc_libs}")
endif()
# Paths below the folder of the file itself, so that an installed tree may be moved.
file(RELATIVE_PATH warpport_pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/warpport.pc.in warpport.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/warpport.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
