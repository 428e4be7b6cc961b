# Every dependency comes from the system. A missing one stops the configuration with the name of its
# Debian package; scripts/setup installs all of them.
function(catena_missing what package)
  message(FATAL_ERROR "Catena needs ${what}, which was not found.\n"
                      "On Debian and Ubuntu:  apt-get install ${package}\n"
                      "or, for everything at once:  scripts/setup")
endfunction()

# A macro, because find_package must run in the scope of the caller.
macro(catena_need name package)
  find_package(${name} ${ARGN} QUIET)
  if(NOT ${name}_FOUND)
    catena_missing("${name}" "${package}")
  endif()
endmacro()

set(THREADS_PREFER_PTHREAD_FLAG ON)
catena_need(Threads libc6-dev)
catena_need(TBB libtbb-dev)
catena_need(Eigen3 libeigen3-dev 3.4 NO_MODULE)
catena_need(SuiteSparse libsuitesparse-dev COMPONENTS AMD CAMD CHOLMOD KLU SPQR)
catena_need(fmt libfmt-dev)
catena_need(nlohmann_json nlohmann-json3-dev)
catena_need(CLI11 libcli11-dev)

# SUNDIALS (BSD 3-Clause) is optional: without it there is no stepper "ida".
find_package(Sundials 6...<7 QUIET)
if(Sundials_FOUND)
  message(STATUS "SUNDIALS ${Sundials_VERSION} found: the stepper \"ida\" is built")
else()
  message(STATUS "SUNDIALS (version 6) not found: the stepper \"ida\" is left out.\n"
                 "   On Debian and Ubuntu:  apt-get install libsundials-dev")
endif()

if(CATENA_BUILD_TESTS)
  catena_need(doctest doctest-dev)
endif()
if(CATENA_BUILD_BENCHMARKS)
  catena_need(benchmark libbenchmark-dev)
endif()
if(CATENA_BUILD_TESTS OR CATENA_BUILD_BENCHMARKS)
  # Rivals and oracles only: the library itself links neither.
  find_package(SuiteSparse QUIET COMPONENTS AMD CAMD CHOLMOD KLU SPQR OPTIONAL_COMPONENTS LDL UMFPACK)
endif()
