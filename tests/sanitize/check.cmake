# cmake -DKIND=address,undefined|thread ... -P check.cmake: builds the CPU backend with sanitizers and runs the unit tests and the
#   quick part of the conformance suite (CTest labels "unit" and "quick").
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
set(labels "^(unit|quick)$")
if(NOT KIND STREQUAL "valgrind")
  run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${WORK_DIR} -G ${GENERATOR} -DCMAKE_C_COMPILER=${CC} -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g" "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g"
    -DWARPPORT_SANITIZE=${KIND} -DWARPPORT_BACKENDS=host -DWARPPORT_NESTED_TESTS=OFF -DWARPPORT_BUILD_EXAMPLES=OFF
    -DWARPPORT_BUILD_BENCH=OFF)
  run(${CMAKE_COMMAND} --build ${WORK_DIR})
  # A leak, an overflow or a race is a failure of the program it happens in.
  set(ENV{ASAN_OPTIONS} detect_leaks=1:abort_on_error=0)
  set(ENV{UBSAN_OPTIONS} print_stacktrace=1)
  run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK_DIR} --output-on-failure --no-tests=error -L ${labels})
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
