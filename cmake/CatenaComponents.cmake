# What is built: components and program. docs/howto/use_from_cmake.md says what goes without each.
#   core        mathematics, models, assembly, the KKT layer, time loop, quantities   needs TBB, AMD, CAMD
#   backends    KLU, Eigen, CHOLMOD, SPQR behind the LinearSolver contract         the last two where wanted
#   solvers     the steppers                                                        SUNDIALS, where there is one
#   problems    the problems
#   experiment  scenarios and records, output, studies, the list of all of it       needs the four others
#   study       many scenarios: ensembles, sweeps, their store                      needs the five others, SQLite
#   io          model files, command line                                           needs the six others
set(CATENA_ALL_COMPONENTS core backends solvers problems experiment study io)
set(CATENA_COMPONENTS all CACHE STRING
    "Components to build: all, or some of core;backends;solvers;problems;experiment;study;io (core always is, the last three bring all before them)")

set(CATENA_BUILT core ${CATENA_COMPONENTS})
foreach(component IN LISTS CATENA_COMPONENTS)
  if(component STREQUAL "all" OR component STREQUAL "io")
    set(CATENA_BUILT ${CATENA_ALL_COMPONENTS})
  elseif(component STREQUAL "study")
    list(APPEND CATENA_BUILT backends solvers problems experiment)
  elseif(component STREQUAL "experiment")
    list(APPEND CATENA_BUILT backends solvers problems)
  elseif(NOT component IN_LIST CATENA_ALL_COMPONENTS)
    message(FATAL_ERROR "CATENA_COMPONENTS: there is no component \"${component}\"; there are ${CATENA_ALL_COMPONENTS}")
  endif()
endforeach()
set(asked ${CATENA_BUILT})
set(CATENA_BUILT ${CATENA_ALL_COMPONENTS})
foreach(component IN LISTS CATENA_ALL_COMPONENTS)
  if(NOT component IN_LIST asked)
    list(REMOVE_ITEM CATENA_BUILT ${component})
  endif()
endforeach()

# Sets CATENA_HAS_<component> for every component that is built.
foreach(component IN LISTS CATENA_ALL_COMPONENTS)
  set(CATENA_HAS_${component} OFF)
  if(component IN_LIST CATENA_BUILT)
    set(CATENA_HAS_${component} ON)
  endif()
endforeach()

option(CATENA_BUILD_PROGRAM "Build the program catena, where the component io is built" ON)

# Tests and benchmarks see everything.
if(NOT CATENA_HAS_io)
  option(CATENA_BUILD_TESTS "Build the tests" OFF)
  option(CATENA_BUILD_BENCHMARKS "Build the benchmarks" OFF)
endif()
if(NOT (CATENA_HAS_io AND CATENA_BUILD_PROGRAM) AND (CATENA_BUILD_TESTS OR CATENA_BUILD_BENCHMARKS))
  message(FATAL_ERROR "Tests and benchmarks need all components and the program: with fewer of them add "
                      "-DCATENA_BUILD_TESTS=OFF -DCATENA_BUILD_BENCHMARKS=OFF")
endif()
