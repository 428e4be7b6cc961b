# Configures without what may be missing. SOURCE, COMPILER, WORK; and TBB_LIBRARY, SUITESPARSE_INCLUDE, AMD, CAMD, CONFIG:
# where the tree's own configuration found them.
function(configure result output)
  file(REMOVE_RECURSE "${WORK}/build")
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}/build" -G Ninja "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCATENA_WITH_PAGE=OFF ${ARGN}
                  RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  set(${result} "${code}" PARENT_SCOPE)
  set(${output} "${text}" PARENT_SCOPE)
endfunction()
function(must_match text pattern what)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "${what}: expected \"${pattern}\" in:\n${text}")
  endif()
endfunction()
function(must_be_good code text what)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what} failed:\n${text}")
  endif()
endfunction()

# A cluster: nothing in the places where CMake looks by itself, the three dependencies of the core in a prefix.
set(prefix "${WORK}/prefix")
file(REMOVE_RECURSE "${prefix}")
file(MAKE_DIRECTORY "${prefix}/include" "${prefix}/lib/cmake")
foreach(pair AMD:amd CAMD:camd CONFIG:suitesparseconfig TBB_LIBRARY:tbb)
  string(REPLACE ":" ";" pair "${pair}")
  list(GET pair 0 variable)
  list(GET pair 1 name)
  file(REAL_PATH "${${variable}}" real)
  file(CREATE_LINK "${real}" "${prefix}/lib/lib${name}.so" SYMBOLIC)
endforeach()
file(CREATE_LINK "${SUITESPARSE_INCLUDE}" "${prefix}/include/suitesparse" SYMBOLIC)
# TBB's own files lead back to where they come from; these lead into the prefix.
file(WRITE "${prefix}/lib/cmake/TBB/TBBConfig.cmake" "
  add_library(TBB::tbb SHARED IMPORTED)
  set_target_properties(TBB::tbb PROPERTIES IMPORTED_LOCATION \"${prefix}/lib/libtbb.so\")
  set(TBB_FOUND TRUE)
")
set(nothing_else -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
    -DCMAKE_FIND_USE_SYSTEM_PACKAGE_REGISTRY=OFF)
foreach(package Eigen3 fmt nlohmann_json CLI11 Sundials SerialHDF5 LibYAML doctest benchmark)
  list(APPEND nothing_else "-DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON")
endforeach()
configure(code text "-DCATENA_COMPONENTS=core\;solvers\;problems" "-DCMAKE_PREFIX_PATH=${prefix}" ${nothing_else})
must_be_good("${code}" "${text}" "core, solvers and problems with CMAKE_PREFIX_PATH alone")
file(READ "${WORK}/build/CMakeCache.txt" cache)
foreach(entry "TBB_DIR:PATH=${prefix}/lib/cmake/TBB" "SuiteSparse_AMD_LIBRARY:FILEPATH=${prefix}/lib/"
        "SuiteSparse_INCLUDE_DIR:PATH=${prefix}/include/suitesparse")
  string(FIND "${cache}" "${entry}" place)
  if(place LESS 0)
    message(FATAL_ERROR "not found in the prefix: ${entry}")
  endif()
endforeach()
if(cache MATCHES "CHOLMOD_LIBRARY|fmt_DIR|Eigen3_DIR|LibYAML_LIBRARY|HDF5_LIBRARY|Sundials_LIBRARY")
  message(FATAL_ERROR "the core alone looked for more than TBB, AMD and CAMD: ${CMAKE_MATCH_0}")
endif()

# The package made of it says what it lacks.
function(find_components text)
  file(WRITE "${WORK}/find.cmake" "find_package(catena ${ARGN} REQUIRED PATHS \"${WORK}/build\" NO_DEFAULT_PATH)\n")
  execute_process(COMMAND "${CMAKE_COMMAND}" -P "${WORK}/find.cmake" OUTPUT_VARIABLE found ERROR_VARIABLE found)
  string(REGEX REPLACE "[ \n]+" " " found "${found}")
  set(${text} "${found}" PARENT_SCOPE)
endfunction()
find_components(text COMPONENTS core io)
must_match("${text}" "the component \"io\" was left out when this catena was built \\(CATENA_COMPONENTS\\), it has core, solvers, problems"
           "a component that was not built")
find_components(text COMPONENTS core plots)
must_match("${text}" "catena has no component \"plots\", it has core, solvers, problems" "a component that does not exist")

find_components(text 0.2)
must_match("${text}" "compatible with requested version \"0.2\".*version: 0.1" "a version that is to come")

# Scenarios and records without model files and command line.
configure(code text "-DCATENA_COMPONENTS=experiment" -DCMAKE_DISABLE_FIND_PACKAGE_SQLite3=ON -DCMAKE_DISABLE_FIND_PACKAGE_LibYAML=ON -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON
          -DCMAKE_DISABLE_FIND_PACKAGE_doctest=ON)
must_be_good("${code}" "${text}" "the component experiment without libyaml and CLI11")
find_components(text COMPONENTS experiment io)
must_match("${text}" "\"io\" was left out .*it has core, backends, solvers, problems, experiment" "a catena without model files")

configure(code text "-DCATENA_COMPONENTS=study" -DCMAKE_DISABLE_FIND_PACKAGE_LibYAML=ON -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON
          -DCMAKE_DISABLE_FIND_PACKAGE_doctest=ON)
must_be_good("${code}" "${text}" "the component study without libyaml and CLI11")

# Without the prefix the package to install is named.
configure(code text -DCATENA_COMPONENTS=core ${nothing_else})
must_match("${text}" "apt-get install lib(tbb|suitesparse)-dev" "the core without its dependencies")

configure(code text -DCATENA_COMPONENTS=sovlers)
must_match("${text}" "there is no component \"sovlers\"; there are core" "a component that is misspelt")
configure(code text -DCATENA_COMPONENTS=core -DCATENA_BUILD_TESTS=ON)
must_match("${text}" "-DCATENA_BUILD_TESTS=OFF" "tests without all components")

# What is optional in all of it.
configure(code text -DCATENA_BUILD_TESTS=OFF -DCATENA_WITH_SUNDIALS=OFF -DCATENA_WITH_HDF5=OFF -DCATENA_BUILD_PROGRAM=OFF
          -DCMAKE_DISABLE_FIND_PACKAGE_doctest=ON -DCMAKE_DISABLE_FIND_PACKAGE_benchmark=ON)
must_be_good("${code}" "${text}" "everything without tests, program, SUNDIALS and HDF5")
must_match("${text}" "CATENA_WITH_SUNDIALS is OFF: the stepper \"ida\" is left out" "SUNDIALS switched off")
configure(code text -DCATENA_BUILD_TESTS=OFF -DCATENA_WITH_SUNDIALS=ON -DCMAKE_DISABLE_FIND_PACKAGE_Sundials=ON)
must_match("${text}" "apt-get install libsundials-dev" "SUNDIALS insisted on and missing")

# Without what is under the GPL.
configure(code text -DCATENA_BUILD_TESTS=OFF -DCATENA_WITH_CHOLMOD=OFF -DCMAKE_DISABLE_FIND_PACKAGE_doctest=ON)
must_be_good("${code}" "${text}" "everything without CHOLMOD and SPQR")
must_match("${text}" "the linear solvers cholmod, cholmod_schur, spqr are left out" "CHOLMOD switched off")
file(READ "${WORK}/build/CMakeCache.txt" cache)
if(cache MATCHES "SuiteSparse_(CHOLMOD|SPQR)_LIBRARY")
  message(FATAL_ERROR "without CHOLMOD it is looked for: ${CMAKE_MATCH_0}")
endif()
configure(code text -DCATENA_BUILD_TESTS=ON -DCATENA_WITH_CHOLMOD=OFF)
must_match("${text}" "-DCATENA_BUILD_TESTS=OFF" "tests without CHOLMOD")
