# cmake -DKIND=address,undefined ... -P check.cmake: builds the CPU backend with sanitizers and runs the unit tests, a quick pass of
#   the conformance suite, the checker's tests for these sanitizers, and the examples.
# cmake -DKIND=thread ... -P check.cmake: the last two.
# cmake -DKIND=valgrind ... -P check.cmake: runs the unit tests of the surrounding build under valgrind.

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE rc OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(NOT rc EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${rc}:\n${log}")
  endif()
  set(log "${log}" PARENT_SCOPE)
endfunction()

# No OpenCL driver of this machine: what it leaks is its own affair.
set(ENV{OCL_ICD_VENDORS} /nonexistent)

if(NOT KIND STREQUAL "valgrind")
  # Not optimised: with sanitizers the kernels take the compiler long enough as it is.
  run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${WORK_DIR} -G ${GENERATOR} -DCMAKE_C_COMPILER=${CC} -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_BUILD_TYPE=Debug -DWARPPORT_SANITIZE=${KIND} -DWARPPORT_BACKENDS=host -DWARPPORT_NESTED_TESTS=OFF
    -DWARPPORT_BUILD_BENCH=OFF)
  set(ENV{UBSAN_OPTIONS} print_stacktrace=1)
  # What each sanitizer must find, with the lane, and what it must not.
  run(${CMAKE_COMMAND} --build ${WORK_DIR} --target test_checker)
  run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK_DIR} --output-on-failure --no-tests=error -R "^checker[.]WP")
  message("${log}")
  # The examples have nothing to find. Threads more than lanes, and blocks that end in a part of a warp.
  run(${CMAKE_COMMAND} --build ${WORK_DIR} --target warpport-demo mma_nearest)
  run(${WORK_DIR}/bin/warpport-demo -d cpu:32 -d cpu:64 -l 2001)
  message("${log}")
  run(${WORK_DIR}/bin/warpport-demo -d cpu:8 -d cpu:64 -b 65 -l 1003)
  message("${log}")
  run(${WORK_DIR}/bin/mma_nearest cpu:32 ${SOURCE_DIR}/CMakePresets.json)
  message("${log}")
  if(KIND STREQUAL "thread")
    return()
  endif()
  run(${CMAKE_COMMAND} --build ${WORK_DIR} --target test_launch)
  run(${WORK_DIR}/bin/test_launch)
  message("${log}")
  run(${CMAKE_COMMAND} --build ${WORK_DIR} --target conformance)
  run(${WORK_DIR}/bin/conformance --quick --device cpu:32 --device cpu:64)
  message("${log}")
  return()
endif()

run(${CMAKE_CTEST_COMMAND} --test-dir ${BUILD_DIR} --show-only=json-v1 -L "^unit$")
string(JSON count LENGTH "${log}" tests)
if(count EQUAL 0)
  message(FATAL_ERROR "no test has the label unit")
endif()
math(EXPR last "${count} - 1")
set(tests "${log}")
foreach(i RANGE ${last})
  string(JSON name GET "${tests}" tests ${i} name)
  string(JSON n LENGTH "${tests}" tests ${i} command)
  math(EXPR n "${n} - 1")
  set(command)
  foreach(j RANGE ${n})
    string(JSON word GET "${tests}" tests ${i} command ${j})
    list(APPEND command "${word}")
  endforeach()
  run(${VALGRIND} -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect,possible
    --errors-for-leak-kinds=definite,indirect,possible ${command})
  message("${name}: clean under valgrind")
endforeach()
