# warpport_check_kernel(<test name>
#                       COMMAND program [argument...]      a target or a file; it opens the device "cpu"
#                       [LANES 8 32 64...]                 default: 1 2 4 8 16 32 64
#                       [PROFILES cuda70 hip...]           default: all
#                       [SCHEDULES order reverse...]       default: order reverse sticky behind, and random ones
#                       [RANDOM n] [SEED n]                number of random orders (3), and the first seed (1)
#                       [COMPARE reads|output|exit]        what must not depend on the order of lanes
#                       [LANE_INDEPENDENT] [STRICT] [FULL] see warpport-check --help
#                       [BUDGET seconds] [TIMEOUT seconds])
#
# Adds a CTest test that runs the program under warpport-check. It needs warpport built with cJSON.

include_guard(GLOBAL)

function(warpport_check_kernel name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "LANE_INDEPENDENT;STRICT;FULL" "RANDOM;SEED;COMPARE;BUDGET;TIMEOUT"
    "COMMAND;LANES;PROFILES;SCHEDULES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "warpport_check_kernel(${name}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_COMMAND)
    message(FATAL_ERROR "warpport_check_kernel(${name}): COMMAND is empty")
  endif()
  if(NOT TARGET warpport::check)
    message(FATAL_ERROR "warpport_check_kernel(${name}): this warpport was built without warpport-check, which needs cJSON")
  endif()
  set(options --verbose)
  foreach(list LANES PROFILES SCHEDULES)
    if(arg_${list})
      string(TOLOWER ${list} option)
      list(JOIN arg_${list} "," text)
      list(APPEND options --${option}=${text})
    endif()
  endforeach()
  foreach(one RANDOM SEED COMPARE BUDGET)
    if(DEFINED arg_${one})
      string(TOLOWER ${one} option)
      list(APPEND options --${option}=${arg_${one}})
    endif()
  endforeach()
  foreach(flag STRICT FULL)
    if(arg_${flag})
      string(TOLOWER ${flag} option)
      list(APPEND options --${option})
    endif()
  endforeach()
  if(arg_LANE_INDEPENDENT)
    list(APPEND options --lane-independent)
  endif()
  list(POP_FRONT arg_COMMAND program)
  if(TARGET ${program})
    set(program $<TARGET_FILE:${program}>)
  endif()
  add_test(NAME ${name} COMMAND warpport::check ${options} ${program} ${arg_COMMAND})
  if(DEFINED arg_TIMEOUT)
    set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT})
  endif()
endfunction()
