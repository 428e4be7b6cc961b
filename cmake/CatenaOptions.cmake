# Build type, warnings, sanitizers, floating-point rules: everything that is true of every target of ours.
include(GNUInstallDirs)

option(CATENA_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(CATENA_BUILD_BENCHMARKS "Build the benchmarks" OFF)
option(CATENA_BUILD_FUZZERS "Build the libFuzzer targets (clang; tests/fuzz)" OFF)
option(CATENA_WARNINGS_AS_ERRORS "Stop at the first warning" ${PROJECT_IS_TOP_LEVEL})
option(CATENA_BASE_ISA_ONLY "Compile the kernels for the baseline instruction set alone: for builds that are instrumented" OFF)
option(CATENA_UNITY "Compile several sources at once: quicker from nothing, slower after a change" OFF)
set(CATENA_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them: address,undefined or thread")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or Sanitize" FORCE)
endif()

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g0 -DNDEBUG")
  set(CMAKE_CXX_FLAGS_DEBUG "-Og -g")
  # Optimised enough to be quick, with line numbers and nothing more in the reports.
  set(CMAKE_CXX_FLAGS_SANITIZE "-O2 -g1 -fno-omit-frame-pointer")
endif()

find_program(CATENA_CCACHE ccache DOC "Compiler cache, used when found")
mark_as_advanced(CATENA_CCACHE)
if(PROJECT_IS_TOP_LEVEL AND CATENA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CATENA_CCACHE}")
endif()

find_program(CATENA_GOLD ld.gold DOC "Linker of tests and benchmarks, used when found")
mark_as_advanced(CATENA_GOLD)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)  # a module for another language may link the static libraries

# `together` sources of one target share what their headers cost; those given, which define names that others use
# otherwise, are compiled alone. Twelve instead of six took a quarter of the processor time off a build of the program.
function(catena_unity target together)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${CATENA_UNITY} UNITY_BUILD_BATCH_SIZE ${together})
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# Settings that every target of ours gets and no user inherits.
function(catena_private_flags target)
  # psabi: GCC's remark that packs passed by value have another calling convention than before GCC 4.6.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wno-psabi -ffp-contract=off)
  if(NOT CATENA_UNITY)
    target_compile_options(${target} PRIVATE -Wshadow)
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # a name of one file may not be taken for that of the next
    target_compile_options(${target} PRIVATE -Wshadow=local)
  endif()
  # Half of the time of a build is spent on what computes little: tests, the files of the command line and of output. Not
  # catena_study: at -O1 boost::math computes constants in long double when the program starts, and valgrind has none.
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND PROJECT_IS_TOP_LEVEL AND NOT target STREQUAL "test_sparse"
     AND target MATCHES "^(test_|own_program)")
    target_compile_options(${target} PRIVATE -O0)
  elseif(CMAKE_BUILD_TYPE STREQUAL "Release" AND PROJECT_IS_TOP_LEVEL
         AND target MATCHES "^(test_sparse|catena_(io|output|experiment|studies|builtin|app|python|test_support))$")
    target_compile_options(${target} PRIVATE -O1)
  elseif(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # At -O2, GCC takes lanes where the number of rounds is known alone; clang takes them everywhere.
    target_compile_options(${target} PRIVATE -fvect-cost-model=dynamic)
  endif()
  # A test takes 0.5 s of a processor to link in place of 1.9 s; what is installed has the usual linker.
  if(CATENA_GOLD AND PROJECT_IS_TOP_LEVEL AND target MATCHES "^(test|bench)_")
    target_link_options(${target} PRIVATE -fuse-ld=gold)
  endif()
  if(CATENA_BASE_ISA_ONLY)
    target_compile_definitions(${target} PRIVATE CATENA_ONE_ISA)
  endif()
  if(CATENA_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(CATENA_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${CATENA_SANITIZE} -fno-sanitize-recover=all)
    # More than half of the time of these builds went into optimising what computes little. Fuzzing spends its time there.
    if(NOT CATENA_BUILD_FUZZERS AND
       (target MATCHES "^test_" AND NOT target STREQUAL "test_sparse" OR target MATCHES "^catena_(io|output|backends|studies|study|builtin|test_support)$"))
      target_compile_options(${target} PRIVATE -O0)
    endif()
    target_link_options(${target} PUBLIC -fsanitize=${CATENA_SANITIZE})
  endif()
endfunction()
