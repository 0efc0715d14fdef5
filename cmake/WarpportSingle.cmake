# The header library as one file, warpport_single.h, and the same text as a string, warpport_single_string.h. Both lie in
# <build>/include. warpport::single is the header target whose <warpport/warpport.h> is that file and which has nothing else, so a
# kernel that builds with it uses nothing but the single file.

set(warpport_single_dir ${CMAKE_CURRENT_BINARY_DIR}/include)
set(warpport_single_headers ${warpport_single_dir}/warpport_single.h ${warpport_single_dir}/warpport_single_string.h)
set(warpport_single_as_usual ${CMAKE_CURRENT_BINARY_DIR}/single/warpport/warpport.h)
set(warpport_single_input ${CMAKE_CURRENT_SOURCE_DIR}/include/warpport/warpport.h)

add_custom_command(OUTPUT ${warpport_single_headers} ${warpport_single_as_usual}
  COMMAND ${CMAKE_COMMAND} -DINPUT=${warpport_single_input} -DINCLUDE_DIRS=${CMAKE_CURRENT_SOURCE_DIR}/include
    -DOUTPUT=${warpport_single_dir}/warpport_single.h
    -DSTRING_OUTPUT=${warpport_single_dir}/warpport_single_string.h -DSTRING_NAME=warpport_single_source
    -DDEPFILE=${warpport_single_dir}/warpport_single.d
    "-DBANNER=warpport ${PROJECT_VERSION} in a single file, made from include/warpport; see LICENSE (MIT)."
    -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/WarpportAmalgamate.cmake
  COMMAND ${CMAKE_COMMAND} -E copy ${warpport_single_dir}/warpport_single.h ${warpport_single_as_usual}
  DEPENDS ${warpport_single_input} ${CMAKE_CURRENT_SOURCE_DIR}/cmake/WarpportAmalgamate.cmake
  DEPFILE ${warpport_single_dir}/warpport_single.d
  COMMENT "Putting the headers into one file" VERBATIM)
add_custom_target(warpport_amalgamation ALL DEPENDS ${warpport_single_headers} ${warpport_single_as_usual})

add_library(warpport_single INTERFACE)
add_library(warpport::single ALIAS warpport_single)
add_dependencies(warpport_single warpport_amalgamation)
target_include_directories(warpport_single INTERFACE ${CMAKE_CURRENT_BINARY_DIR}/single)
