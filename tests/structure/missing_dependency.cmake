# Configures Catena while one dependency is made invisible and expects its Debian package in the message.
foreach(pair "TBB:libtbb-dev" "Eigen3:libeigen3-dev" "SuiteSparse:libsuitesparse-dev" "fmt:libfmt-dev")
  string(REPLACE ":" ";" pair "${pair}")
  list(GET pair 0 name)
  list(GET pair 1 package)
  file(REMOVE_RECURSE "${WORK}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}" -G Ninja "-DCMAKE_CXX_COMPILER=${COMPILER}"
            -DCATENA_BUILD_TESTS=OFF "-DCMAKE_DISABLE_FIND_PACKAGE_${name}=ON"
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(result EQUAL 0 OR NOT output MATCHES "apt-get install ${package}")
    message(FATAL_ERROR "without ${name} the message must name ${package}; it was:\n${output}")
  endif()
endforeach()

# SUNDIALS is optional: without it the configuration succeeds, says what is left out, and names its package.
file(REMOVE_RECURSE "${WORK}")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}" -G Ninja "-DCMAKE_CXX_COMPILER=${COMPILER}"
          -DCATENA_BUILD_TESTS=OFF -DCATENA_BUILD_BENCHMARKS=OFF -DCMAKE_DISABLE_FIND_PACKAGE_Sundials=ON
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0 OR NOT output MATCHES "\"ida\" is left out" OR NOT output MATCHES "libsundials-dev")
  message(FATAL_ERROR "without SUNDIALS the stepper ida must be left out with a word about libsundials-dev; it was:\n${output}")
endif()
