cmake_minimum_required(VERSION 3.25)
# Configures Catena while one dependency is made invisible and expects its Debian package in the message.
file(REMOVE_RECURSE "${WORK}")
# What is known of the compiler and of the other packages is kept from one call to the next: half a second in place of three.
function(configure_without name)  # ... further arguments; sets result and output
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}" -G Ninja "-DCMAKE_CXX_COMPILER=${COMPILER}"
            -U "CMAKE_DISABLE_FIND_PACKAGE_*" -U "CATENA_WITH_*" -U "CATENA_BUILD_*" -U "CATENA_NPM"
            "-DCMAKE_DISABLE_FIND_PACKAGE_${name}=ON" -DCATENA_WITH_PAGE=OFF -DCATENA_WITH_PYTHON=OFF ${ARGN}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(result "${result}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

set(checked "")
foreach(pair "Threads:libc6-dev" "TBB:libtbb-dev" "SuiteSparse:libsuitesparse-dev" "Eigen3:libeigen3-dev" "Spectra:libspectra-dev" "fmt:libfmt-dev" "ZLIB:zlib1g-dev"
        "nlohmann_json:nlohmann-json3-dev" "CLI11:libcli11-dev" "LibYAML:libyaml-dev" "SQLite3:libsqlite3-dev" "Boost:libboost-dev" "doctest:doctest-dev"
        "benchmark:libbenchmark-dev" "Python3:python3")
  string(REPLACE ":" ";" pair "${pair}")
  list(GET pair 0 name)
  list(GET pair 1 package)
  list(APPEND checked "${name}")
  configure_without(${name} -DCATENA_BUILD_TESTS=ON -DCATENA_BUILD_BENCHMARKS=ON)
  string(REPLACE "+" "\\+" package "${package}")
  if(result EQUAL 0 OR NOT output MATCHES "apt-get install ${package}\n")
    message(FATAL_ERROR "without ${name} the message must name ${package}; it was:\n${output}")
  endif()
endforeach()

# No dependency is left out of the list above.
file(STRINGS "${SOURCE}/cmake/CatenaDependencies.cmake" needs REGEX "^ *catena_need\\([A-Za-z]")
foreach(line IN LISTS needs)
  string(REGEX REPLACE "^ *catena_need\\(([A-Za-z0-9_-]+).*" "\\1" name "${line}")
  if(NOT name IN_LIST checked)
    message(FATAL_ERROR "nothing here looks at what is said without ${name}")
  endif()
endforeach()

# SUNDIALS, HDF5 and MPI are optional: without one the configuration succeeds, says what is left out, and names its package;
# where it is insisted on, it fails with that name.
foreach(optional "Sundials;SUNDIALS;libsundials-dev;\"ida\" is left out" "SerialHDF5;HDF5;libhdf5-dev;HDF5 are left out"
        "MPI;MPI;libopenmpi-dev;ranks of mpirun are left out")
  list(GET optional 0 name)
  list(GET optional 1 option)
  list(GET optional 2 package)
  list(GET optional 3 words)
  configure_without(${name} -DCATENA_BUILD_TESTS=OFF -DCATENA_BUILD_BENCHMARKS=OFF)
  if(NOT result EQUAL 0 OR NOT output MATCHES "${words}" OR NOT output MATCHES "apt-get install ${package}\n")
    message(FATAL_ERROR "without ${name} the message must have the words ${words} and ${package}; it was:\n${output}")
  endif()
  configure_without(${name} -DCATENA_BUILD_TESTS=OFF -DCATENA_BUILD_BENCHMARKS=OFF -DCATENA_WITH_${option}=ON)
  if(result EQUAL 0 OR NOT output MATCHES "apt-get install ${package}\n")
    message(FATAL_ERROR "insisting on ${name} must fail with ${package}; it was:\n${output}")
  endif()
endforeach()

# The page of catena report needs npm, which is no package of CMake's: here one that always fails.
set(no_npm -DCATENA_BUILD_TESTS=OFF -DCATENA_BUILD_BENCHMARKS=OFF -DCATENA_NPM=/bin/false)
configure_without(nothing ${no_npm} -DCATENA_WITH_PAGE=AUTO)
if(NOT result EQUAL 0 OR NOT output MATCHES "catena report and catena view are left out" OR NOT output MATCHES "apt-get install nodejs npm\n")
  message(FATAL_ERROR "without npm the message must say that catena report is left out, and name nodejs and npm; it was:\n${output}")
endif()
configure_without(nothing ${no_npm} -DCATENA_WITH_PAGE=ON)
if(result EQUAL 0)
  message(FATAL_ERROR "CATENA_WITH_PAGE=ON must fail without npm; it said:\n${output}")
endif()
