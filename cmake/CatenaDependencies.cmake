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

# catena_optional(<name> <option> <Debian package> <"what is"> [arguments of find_package...]): sets <name>_FOUND.
# The cache entry CATENA_WITH_<option> decides: AUTO takes what is found, ON insists, OFF does not look.
macro(catena_optional name option package lost)
  set(CATENA_WITH_${option} AUTO CACHE STRING "${name}: AUTO where found, ON must be there, OFF not used")
  set_property(CACHE CATENA_WITH_${option} PROPERTY STRINGS AUTO ON OFF)
  if("${CATENA_WITH_${option}}" STREQUAL "ON")
    catena_need(${name} ${package} ${ARGN})
  elseif("${CATENA_WITH_${option}}" STREQUAL "AUTO")
    find_package(${name} ${ARGN} QUIET)
    if(NOT ${name}_FOUND)
      message(STATUS "${name} not found: ${lost} left out.\n   On Debian and Ubuntu:  apt-get install ${package}")
    endif()
  else()
    set(${name}_FOUND OFF)
    message(STATUS "CATENA_WITH_${option} is OFF: ${lost} left out")
  endif()
endmacro()

set(THREADS_PREFER_PTHREAD_FLAG ON)
catena_need(Threads libc6-dev)
catena_need(TBB libtbb-dev)
catena_need(SuiteSparse libsuitesparse-dev COMPONENTS AMD CAMD)

if(CATENA_HAS_backends)
  catena_need(Eigen3 libeigen3-dev 3.4 NO_MODULE)
  catena_need(Spectra libspectra-dev)  # headers alone: modes of large mechanisms
  # CHOLMOD with its GPL modules, and SPQR, which is under the GPL.
  option(CATENA_WITH_CHOLMOD "Build the linear solvers of CHOLMOD and SPQR in; without them nothing is under the GPL" ON)
  set(CATENA_SUITESPARSE AMD CAMD KLU)
  if(CATENA_WITH_CHOLMOD)
    list(APPEND CATENA_SUITESPARSE CHOLMOD SPQR)
  elseif(CATENA_BUILD_TESTS OR CATENA_BUILD_BENCHMARKS)
    message(FATAL_ERROR "Tests and benchmarks compare with CHOLMOD and SPQR: with CATENA_WITH_CHOLMOD=OFF add "
                        "-DCATENA_BUILD_TESTS=OFF -DCATENA_BUILD_BENCHMARKS=OFF")
  else()
    message(STATUS "CATENA_WITH_CHOLMOD is OFF: the linear solvers cholmod, cholmod_schur, spqr are left out")
  endif()
  catena_need(SuiteSparse libsuitesparse-dev COMPONENTS ${CATENA_SUITESPARSE})
endif()

set(Sundials_FOUND OFF)
set(MPI_FOUND OFF)
if(CATENA_HAS_solvers)  # SUNDIALS: BSD 3-Clause
  catena_optional(Sundials SUNDIALS libsundials-dev "the stepper \"ida\" is" 6...<7)
endif()

if(CATENA_HAS_io)
  catena_need(CLI11 libcli11-dev)
  catena_need(LibYAML libyaml-dev)  # model files
endif()
if(CATENA_HAS_study)
  catena_need(SQLite3 libsqlite3-dev 3.24)  # rows of sweeps; the first version with "upsert"
  catena_need(Boost libboost-dev 1.74)      # headers alone: Sobol's sequence, quantiles of the normal distribution
  set(MPI_CXX_SKIP_MPICXX ON)               # the C interface alone
  if(CATENA_SANITIZE)                       # libraries of MPI are not built for sanitizers
    set(CATENA_WITH_MPI OFF CACHE STRING "MPI: not with sanitizers")
  endif()
  # Debian has both MPIs: mpicxx.mpich and mpiexec.mpich belong together, and mpiexec is either.
  if(MPI_CXX_COMPILER MATCHES "mpicxx(\\.[a-z]+)$")
    find_program(MPIEXEC_EXECUTABLE "mpiexec${CMAKE_MATCH_1}")
  endif()
  catena_optional(MPI MPI libopenmpi-dev "sweeps over the ranks of mpirun are" COMPONENTS CXX)
endif()
if(CATENA_HAS_experiment)
  catena_need(fmt libfmt-dev)
  catena_need(ZLIB zlib1g-dev)  # numbers in pages
  catena_need(nlohmann_json nlohmann-json3-dev)
  # Virtual datasets came with 1.10.
  catena_optional(SerialHDF5 HDF5 libhdf5-dev "results in HDF5 are" 1.10)
endif()

# `import catena`: needs the component io, an interpreter with its headers, and pybind11.
set(CATENA_PYTHON OFF)
if(CATENA_HAS_io)
  if(CATENA_SANITIZE)  # the interpreter is not built for sanitizers
    set(CATENA_WITH_PYTHON OFF CACHE STRING "pybind11: not with sanitizers")
  endif()
  # The system's interpreter, which has the system's numpy; -DPython_EXECUTABLE=... names another one.
  if(NOT Python_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(Python_EXECUTABLE /usr/bin/python3)
  endif()
  find_package(Python QUIET COMPONENTS Interpreter Development.Module)
  if(Python_FOUND)
    set(PYBIND11_FINDPYTHON ON)
    catena_optional(pybind11 PYTHON pybind11-dev "the Python module is" 2.10)
    set(CATENA_PYTHON ${pybind11_FOUND})
  elseif("${CATENA_WITH_PYTHON}" STREQUAL "ON")
    catena_missing("Python 3 with its headers" python3-dev)
  else()
    message(STATUS "headers of Python 3 not found: the Python module is left out.\n"
                   "   On Debian and Ubuntu:  apt-get install python3-dev pybind11-dev python3-numpy")
  endif()
endif()

if(CATENA_BUILD_TESTS)
  catena_need(doctest doctest-dev)
endif()
if(CATENA_BUILD_BENCHMARKS)
  catena_need(benchmark libbenchmark-dev)
endif()
if(CATENA_BUILD_BENCHMARKS)
  find_package(Simbody QUIET)  # a peer of comparisons
endif()
if(CATENA_BUILD_TESTS OR CATENA_BUILD_BENCHMARKS)
  # Rivals and oracles only: the library itself links neither.
  find_package(SuiteSparse QUIET COMPONENTS AMD CAMD CHOLMOD KLU SPQR OPTIONAL_COMPONENTS LDL UMFPACK)
endif()
