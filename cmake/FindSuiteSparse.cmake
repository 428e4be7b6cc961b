# SuiteSparse before version 6 ships no CMake files. This module makes an imported target
# SuiteSparse::<component> for each requested component:
#   config AMD CAMD COLAMD CCOLAMD CHOLMOD KLU BTF SPQR UMFPACK LDL
# It is installed with the package, because the installed targets name these targets.
include(FindPackageHandleStandardArgs)

set(_suitesparse_header_config SuiteSparse_config.h)
set(_suitesparse_header_AMD amd.h)
set(_suitesparse_header_CAMD camd.h)
set(_suitesparse_header_COLAMD colamd.h)
set(_suitesparse_header_CCOLAMD ccolamd.h)
set(_suitesparse_header_CHOLMOD cholmod.h)
set(_suitesparse_header_KLU klu.h)
set(_suitesparse_header_BTF btf.h)
set(_suitesparse_header_SPQR SuiteSparseQR.hpp)
set(_suitesparse_header_UMFPACK umfpack.h)
set(_suitesparse_header_LDL ldl.h)

set(_suitesparse_needs_config "")
foreach(_c AMD CAMD COLAMD CCOLAMD BTF LDL)
  set(_suitesparse_needs_${_c} config)
endforeach()
set(_suitesparse_needs_CHOLMOD AMD CAMD COLAMD CCOLAMD config)
set(_suitesparse_needs_KLU BTF AMD COLAMD config)
set(_suitesparse_needs_SPQR CHOLMOD config)
set(_suitesparse_needs_UMFPACK CHOLMOD AMD config)

if(NOT SuiteSparse_FIND_COMPONENTS)
  set(SuiteSparse_FIND_COMPONENTS AMD CAMD)
endif()
# What a component needs is a component too; the list grows until it is closed.
set(_suitesparse_all ${SuiteSparse_FIND_COMPONENTS})
foreach(_pass 1 2 3)
  foreach(_c IN LISTS _suitesparse_all)
    list(APPEND _suitesparse_all ${_suitesparse_needs_${_c}})
  endforeach()
  list(REMOVE_DUPLICATES _suitesparse_all)
endforeach()
list(REVERSE _suitesparse_all)

find_path(SuiteSparse_INCLUDE_DIR SuiteSparse_config.h PATH_SUFFIXES suitesparse)
mark_as_advanced(SuiteSparse_INCLUDE_DIR)
if(SuiteSparse_INCLUDE_DIR)
  file(STRINGS "${SuiteSparse_INCLUDE_DIR}/SuiteSparse_config.h" _lines
       REGEX "^#define SUITESPARSE_(MAIN|SUB|SUBSUB)_VERSION +[0-9]+")
  string(REGEX MATCHALL "[0-9]+" _numbers "${_lines}")
  list(JOIN _numbers "." SuiteSparse_VERSION)
endif()

foreach(_c IN LISTS _suitesparse_all)
  string(TOLOWER "${_c}" _name)
  if(_c STREQUAL "config")
    set(_name suitesparseconfig)
  endif()
  find_library(SuiteSparse_${_c}_LIBRARY ${_name})
  mark_as_advanced(SuiteSparse_${_c}_LIBRARY)
  if(SuiteSparse_${_c}_LIBRARY AND SuiteSparse_INCLUDE_DIR
     AND EXISTS "${SuiteSparse_INCLUDE_DIR}/${_suitesparse_header_${_c}}")
    set(SuiteSparse_${_c}_FOUND TRUE)
  else()
    set(SuiteSparse_${_c}_FOUND FALSE)
  endif()
endforeach()

find_package_handle_standard_args(SuiteSparse REQUIRED_VARS SuiteSparse_INCLUDE_DIR
                                  VERSION_VAR SuiteSparse_VERSION HANDLE_COMPONENTS)

if(SuiteSparse_FOUND)
  foreach(_c IN LISTS _suitesparse_all)
    if(SuiteSparse_${_c}_FOUND AND NOT TARGET SuiteSparse::${_c})
      add_library(SuiteSparse::${_c} UNKNOWN IMPORTED)
      set_target_properties(SuiteSparse::${_c} PROPERTIES
        IMPORTED_LOCATION "${SuiteSparse_${_c}_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${SuiteSparse_INCLUDE_DIR}")
      foreach(_need IN LISTS _suitesparse_needs_${_c})
        set_property(TARGET SuiteSparse::${_c} APPEND PROPERTY INTERFACE_LINK_LIBRARIES SuiteSparse::${_need})
      endforeach()
    endif()
  endforeach()
endif()
