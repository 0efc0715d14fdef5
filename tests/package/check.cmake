# cmake -DMODE=install|find_package|subdirectory|pkg_config ... -P check.cmake

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE rc OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(NOT rc EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${rc}:\n${log}")
  endif()
  set(log "${log}" PARENT_SCOPE)
endfunction()

set(consumer ${CMAKE_CURRENT_LIST_DIR}/consumer)
file(REMOVE_RECURSE ${WORK_DIR})

if(MODE STREQUAL "install")
  run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR})
  file(REMOVE_RECURSE ${PREFIX})
  file(RENAME ${WORK_DIR} ${PREFIX}) # an installed tree may be moved

elseif(MODE STREQUAL "find_package" OR MODE STREQUAL "subdirectory")
  set(where -DCMAKE_PREFIX_PATH=${PREFIX})
  if(MODE STREQUAL "subdirectory")
    set(where -DWARPPORT_SOURCE_DIR=${SOURCE_DIR} -DWARPPORT_BACKENDS=host)
  endif()
  run(${CMAKE_COMMAND} -S ${consumer} -B ${WORK_DIR} -G ${GENERATOR} ${where}
    -DCMAKE_C_COMPILER=${CC} -DCMAKE_CXX_COMPILER=${CXX})
  if(NOT log MATCHES "warpport kernels are built for")
    message(FATAL_ERROR "configuring did not say which backends were found:\n${log}")
  endif()
  run(${CMAKE_COMMAND} --build ${WORK_DIR})
  run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK_DIR} --output-on-failure --no-tests=error)
  message("${log}")

elseif(MODE STREQUAL "pkg_config")
  set(ENV{PKG_CONFIG_PATH} ${PREFIX}/${LIBDIR}/pkgconfig)
  run(${PKG_CONFIG} --cflags warpport)
  separate_arguments(cflags UNIX_COMMAND "${log}")
  run(${PKG_CONFIG} --libs warpport)
  separate_arguments(libs UNIX_COMMAND "${log}")
  file(MAKE_DIRECTORY ${WORK_DIR})
  run(${CC} -std=c11 -O1 -g -ffp-contract=off ${cflags} ${consumer}/main.c ${consumer}/sum.c ${libs} -o ${WORK_DIR}/consumer)
  set(ENV{LD_LIBRARY_PATH} ${PREFIX}/${LIBDIR})
  run(${WORK_DIR}/consumer sum 0 cpu) # a plain compiler builds no kernels for other devices
  message("${log}")

  # The single header needs nothing beside it.
  file(MAKE_DIRECTORY ${WORK_DIR}/alone/warpport)
  file(COPY_FILE ${PREFIX}/include/warpport_single.h ${WORK_DIR}/alone/warpport/warpport.h)
  run(${CC} -std=c11 -Wall -Wextra -Werror -c -I${WORK_DIR}/alone ${consumer}/sum.c -o ${WORK_DIR}/sum.o)

else()
  message(FATAL_ERROR "unknown MODE ${MODE}")
endif()
