# cmake -DKIND=address,undefined ... -P check.cmake: builds the CPU backend with sanitizers and runs the unit tests and a quick
#   pass of the conformance suite.
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
    -DWARPPORT_BUILD_EXAMPLES=OFF -DWARPPORT_BUILD_BENCH=OFF)
  set(ENV{UBSAN_OPTIONS} print_stacktrace=1)
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
