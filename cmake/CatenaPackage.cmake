# Debian packages from what is installed: cpack -G DEB --config <build folder>/CPackConfig.cmake
#   catena         the program                                  depends on the shared libraries that it is linked to
#   python3-catena the Python module                            depends on numpy, and on the same shared libraries
#   libcatena-dev  headers, static libraries, CMake files       depends on what find_package(catena) looks for
set(CPACK_GENERATOR DEB)
# Whoever hands packages on puts in an address that answers; the name is that of CITATION.cff.
file(STRINGS "${PROJECT_SOURCE_DIR}/CITATION.cff" authors REGEX "^  - name: " LIMIT_COUNT 1)
string(REGEX REPLACE "^  - name: \"(.*)\"$" "\\1" authors "${authors}")
set(CATENA_PACKAGE_CONTACT "${authors} <catena@example.org>" CACHE STRING "Maintainer of the Debian packages: NAME <ADDRESS>")
set(CPACK_PACKAGE_VENDOR "${authors}")
set(CPACK_PACKAGE_CONTACT "${CATENA_PACKAGE_CONTACT}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL development)
if(TARGET catena_app)
  list(APPEND CPACK_COMPONENTS_ALL program)
endif()
if(CATENA_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME catena)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "constrained multibody dynamics: the program\n Runs, checks and lists mechanisms of rigid bodies and joints.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-catena)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
# A module is of one minor version of the interpreter.
math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_minor}), python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pandas, python3-xarray, python3-scipy, catena")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION
    "constrained multibody dynamics: the Python module\n Models, runs, sweeps and comparisons as import catena.")

set(depends "libc6-dev, libtbb-dev, libsuitesparse-dev")
if(Sundials_FOUND)
  string(APPEND depends ", libsundials-dev (>= 6), libsundials-dev (<< 7)")
endif()
if(CATENA_HAS_io)
  string(APPEND depends ", libyaml-dev")
endif()
if(CATENA_HAS_study)
  string(APPEND depends ", libsqlite3-dev")
  if(MPI_FOUND)
    # Of the MPI that was found: Debian has both.
    if(MPI_CXX_LIBRARIES MATCHES "mpich" OR MPI_CXX_INCLUDE_DIRS MATCHES "mpich")
      string(APPEND depends ", libmpich-dev")
    else()
      string(APPEND depends ", libopenmpi-dev")
    endif()
  endif()
endif()
if(CATENA_HAS_experiment)
  string(APPEND depends ", libfmt-dev, zlib1g-dev")
  if(SerialHDF5_FOUND)
    string(APPEND depends ", libhdf5-dev")
  endif()
endif()
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libcatena-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${depends}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "catena, cmake")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "constrained multibody dynamics: the library\n Headers, static libraries and the CMake package catena.")

# Each package says under which licence it is.
if(TARGET catena_app)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/catena" RENAME copyright
          COMPONENT program)
endif()
if(CATENA_PYTHON)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/python3-catena" RENAME copyright
          COMPONENT python)
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/libcatena-dev"
        RENAME copyright COMPONENT development)
include(CPack)
