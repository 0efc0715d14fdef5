# Puts a C file and every file it includes, as far as those lie under the given directories or beside it, into one text.
# A script, so that neither warpport's build nor its users' needs more than CMake:
#
#   cmake -DINPUT=file -DINCLUDE_DIRS=a;b -DOUTPUT=out [-DDEFINITIONS=A;B=1] [-DBANNER=text] [-DLINES=ON] [-DDEPFILE=out.d]
#         [-DSTRING_OUTPUT=out.h -DSTRING_NAME=name] -P WarpportAmalgamate.cmake
#
# Includes of other files (system headers) stay where they are. A file that is reached a second time is left out if its first copy
# stands under no condition but include guards; otherwise that copy may be inactive, so it is put in again and its include guard
# decides. LINES adds #line directives, for compilers that get the text as a kernel and whose messages people read.
# STRING_OUTPUT writes the text as a C array too. (A string literal would be more readable, but compilers need accept only 4095
# characters in one, and some stop at 65535.)

cmake_minimum_required(VERSION 3.25)

foreach(needed INPUT OUTPUT)
  if(NOT DEFINED ${needed})
    message(FATAL_ERROR "WarpportAmalgamate.cmake needs -D${needed}=")
  endif()
endforeach()

set_property(GLOBAL PROPERTY files)       # all, for the depfile
set_property(GLOBAL PROPERTY settled)     # those whose copy stands under no condition
set_property(GLOBAL PROPERTY out "")

function(emit text)
  set_property(GLOBAL APPEND_STRING PROPERTY out "${text}")
endfunction()

# The file an include directive names, or nothing if it is none of ours.
function(find_include result name bracket from)
  set(${result} "" PARENT_SCOPE)
  if(bracket STREQUAL "\"")
    get_filename_component(dir ${from} DIRECTORY)
    if(EXISTS ${dir}/${name})
      get_filename_component(path ${dir}/${name} ABSOLUTE)
      set(${result} ${path} PARENT_SCOPE)
      return()
    endif()
  endif()
  foreach(dir IN LISTS INCLUDE_DIRS)
    if(EXISTS ${dir}/${name})
      get_filename_component(path ${dir}/${name} ABSOLUTE)
      set(${result} ${path} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

function(short_name result path)
  set(name ${path})
  foreach(dir IN LISTS INCLUDE_DIRS)
    string(FIND "${path}" "${dir}/" at)
    if(at EQUAL 0)
      string(LENGTH "${dir}/" n)
      string(SUBSTRING "${path}" ${n} -1 name)
    endif()
  endforeach()
  if(name STREQUAL path)
    get_filename_component(name ${path} NAME)
  endif()
  set(${result} "${name}" PARENT_SCOPE)
endfunction()

# Text of the file at hand. It is read with a newline put before it, so that each line begins after one; that newline, and the one
# that ends a replaced directive, are dropped here.
function(put text)
  get_property(drop GLOBAL PROPERTY drop_newline)
  if(drop AND NOT text STREQUAL "")
    string(SUBSTRING "${text}" 1 -1 text)
    set_property(GLOBAL PROPERTY drop_newline FALSE)
  endif()
  emit("${text}")
endfunction()

# depth: conditions around the place where the file is included. stack: the files being included, to stop at a cycle.
function(add_file path depth stack)
  set_property(GLOBAL APPEND PROPERTY files ${path})
  short_name(name ${path})
  if(LINES)
    emit("#line 1 \"${name}\"\n")
  else()
    emit("/* ---- ${name} ---- */\n")
  endif()
  file(READ ${path} rest)
  string(REPLACE "\r\n" "\n" rest "\n${rest}")
  if(NOT rest MATCHES "\n$")
    string(APPEND rest "\n")
  endif()

  # An include guard is a condition that holds the first time. A file without one is meant to be included repeatedly.
  set(guards 0)
  if(rest MATCHES "\n[ \t]*#[ \t]*ifndef[ \t]+([A-Za-z0-9_]+)[^\n]*\n[ \t]*#[ \t]*define[ \t]+([A-Za-z0-9_]+)")
    if(CMAKE_MATCH_1 STREQUAL CMAKE_MATCH_2)
      string(FIND "${rest}" "${CMAKE_MATCH_0}" at)
      string(SUBSTRING "${rest}" 0 ${at} before)
      if(NOT before MATCHES "\n[ \t]*#")
        set(guards 1)
        if(depth EQUAL 0)
          set_property(GLOBAL APPEND PROPERTY settled ${path})
        endif()
      endif()
    endif()
  endif()

  set_property(GLOBAL PROPERTY drop_newline TRUE)
  set(line 0) # newlines seen, so the number of the line at hand
  math(EXPR here "${depth} - ${guards}")
  while(rest MATCHES "\n[ \t]*#[ \t]*(ifdef|ifndef|if|endif|include)[^A-Za-z0-9_\n][^\n]*|\n[ \t]*#[ \t]*endif")
    set(directive "${CMAKE_MATCH_0}")
    set(kind "${CMAKE_MATCH_1}")
    string(FIND "${rest}" "${directive}" at)
    string(SUBSTRING "${rest}" 0 ${at} before)
    string(LENGTH "${directive}" n)
    math(EXPR after "${at} + ${n}")
    string(SUBSTRING "${rest}" ${after} -1 rest)
    put("${before}")
    if(LINES)
      string(REGEX MATCHALL "\n" newlines "${before}")
      list(LENGTH newlines n)
      math(EXPR line "${line} + ${n} + 1")
    endif()

    set(found "")
    if(kind STREQUAL "endif" OR kind STREQUAL "")
      math(EXPR here "${here} - 1")
    elseif(kind MATCHES "^if")
      math(EXPR here "${here} + 1")
    elseif(directive MATCHES "include[ \t]*([<\"])([^>\"]+)[>\"]")
      set(bracket "${CMAKE_MATCH_1}")
      find_include(found "${CMAKE_MATCH_2}" "${bracket}" ${path})
    endif()
    if(NOT found)
      put("${directive}")
      continue()
    endif()
    if(found IN_LIST stack)
      message(FATAL_ERROR "${path}: the #include of ${found} is a cycle")
    endif()
    put("\n")
    get_property(settled GLOBAL PROPERTY settled)
    if(found IN_LIST settled)
      continue() # an empty line in its place
    endif()
    add_file(${found} ${here} "${stack};${found}")
    if(LINES)
      math(EXPR next "${line} + 1")
      short_name(name ${path})
      emit("#line ${next} \"${name}\"\n")
    endif()
    set_property(GLOBAL PROPERTY drop_newline TRUE)
  endwhile()
  put("${rest}")
endfunction()

get_filename_component(INPUT ${INPUT} ABSOLUTE)
if(BANNER)
  emit("/* ${BANNER} */\n")
endif()
foreach(definition IN LISTS DEFINITIONS)
  if(definition MATCHES "^([^=]+)=(.*)$")
    emit("#define ${CMAKE_MATCH_1} ${CMAKE_MATCH_2}\n")
  else()
    emit("#define ${definition} 1\n")
  endif()
endforeach()
add_file(${INPUT} 0 "${INPUT}")

get_property(out GLOBAL PROPERTY out)
get_property(files GLOBAL PROPERTY files)
file(WRITE ${OUTPUT} "${out}")

if(STRING_OUTPUT)
  file(READ ${OUTPUT} hex HEX)
  string(LENGTH "${hex}" n)
  math(EXPR n "${n} / 2")
  # 32 bytes a line; a byte above 127 needs a character literal, because an int above 127 does not fit a signed char.
  string(REGEX REPLACE "(................................................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([89a-f][0-9a-f]|[0-7][0-9a-f])" "\\1," hex "${hex}")
  string(REGEX REPLACE "([89a-f][0-9a-f])," "'\\\\x\\1'," hex "${hex}")
  string(REGEX REPLACE "(^|,|\n)([0-7][0-9a-f])," "\\10x\\2," hex "${hex}")
  string(REGEX REPLACE "(^|,|\n)([0-7][0-9a-f])," "\\10x\\2," hex "${hex}")
  string(TOUPPER ${STRING_NAME} guard)
  file(WRITE ${STRING_OUTPUT} "/* ${BANNER}
 * The ${n} characters of that text, zero-terminated, for programs that compile kernels at run time. */
#ifndef ${guard}_H
#define ${guard}_H
static const char ${STRING_NAME}[${n} + 1] = {
${hex}0};
#endif
")
endif()

if(DEPFILE)
  list(REMOVE_DUPLICATES files)
  string(REPLACE " " "\\ " files "${files}")
  list(JOIN files " \\\n  " files)
  string(REPLACE " " "\\ " target "${OUTPUT}")
  file(WRITE ${DEPFILE} "${target}: ${files}\n")
endif()
