# SUNDIALS IDA with its sparse matrix and KLU: one imported target Sundials::ida. A module of our own, because the
# CMake files of the Debian package name targets of MPI, PETSc and hypre that IDA does not need. It is installed
# with the package, because the installed targets name Sundials::ida.
include(FindPackageHandleStandardArgs)

find_path(Sundials_INCLUDE_DIR ida/ida.h)
if(Sundials_INCLUDE_DIR AND EXISTS "${Sundials_INCLUDE_DIR}/sundials/sundials_config.h")
  file(STRINGS "${Sundials_INCLUDE_DIR}/sundials/sundials_config.h" _sundials_line
       REGEX "^#define SUNDIALS_VERSION \"[0-9.]+")
  string(REGEX MATCH "[0-9]+(\\.[0-9]+)*" Sundials_VERSION "${_sundials_line}")
endif()

set(_sundials_required Sundials_INCLUDE_DIR)
foreach(_part ida nvecserial sunmatrixsparse sunlinsolklu)
  find_library(Sundials_${_part}_LIBRARY sundials_${_part})
  mark_as_advanced(Sundials_${_part}_LIBRARY)
  list(APPEND _sundials_required Sundials_${_part}_LIBRARY)
endforeach()
mark_as_advanced(Sundials_INCLUDE_DIR)
if(NOT TARGET SuiteSparse::KLU)
  find_package(SuiteSparse QUIET COMPONENTS KLU)
endif()

# The calls that Catena uses are those of version 6.
find_package_handle_standard_args(Sundials REQUIRED_VARS ${_sundials_required} VERSION_VAR Sundials_VERSION
                                  HANDLE_VERSION_RANGE)

if(Sundials_FOUND AND NOT TARGET Sundials::ida)
  foreach(_part nvecserial sunmatrixsparse sunlinsolklu ida)
    add_library(Sundials::${_part} UNKNOWN IMPORTED)
    set_target_properties(Sundials::${_part} PROPERTIES
      IMPORTED_LOCATION "${Sundials_${_part}_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${Sundials_INCLUDE_DIR}")
  endforeach()
  set_property(TARGET Sundials::sunlinsolklu PROPERTY INTERFACE_LINK_LIBRARIES Sundials::sunmatrixsparse SuiteSparse::KLU)
  set_property(TARGET Sundials::ida PROPERTY INTERFACE_LINK_LIBRARIES Sundials::sunlinsolklu Sundials::sunmatrixsparse Sundials::nvecserial)
endif()
