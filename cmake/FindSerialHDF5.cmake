# The C library of HDF5, serial: one imported target SerialHDF5::hdf5. A module of our own, because CMake's FindHDF5 wants
# a C compiler and takes whichever of the serial and MPI builds it meets first; Debian keeps the serial one in
# folders named so. It is installed with the package, because the installed targets name SerialHDF5::hdf5.
include(FindPackageHandleStandardArgs)

find_path(SerialHDF5_INCLUDE_DIR hdf5.h HINTS "$ENV{HDF5_ROOT}/include" PATH_SUFFIXES hdf5/serial)
find_library(SerialHDF5_LIBRARY NAMES hdf5_serial hdf5 HINTS "$ENV{HDF5_ROOT}/lib" PATH_SUFFIXES hdf5/serial)
mark_as_advanced(SerialHDF5_INCLUDE_DIR SerialHDF5_LIBRARY)
if(SerialHDF5_INCLUDE_DIR)
  file(GLOB _serialhdf5_headers "${SerialHDF5_INCLUDE_DIR}/H5public.h")
  foreach(_header IN LISTS _serialhdf5_headers)
    file(STRINGS "${_header}" _lines REGEX "^#define H5_VERS_(MAJOR|MINOR|RELEASE)[ \t]+[0-9]+")
    string(REGEX REPLACE "#define H5_VERS_[A-Z]+[ \t]+([0-9]+)[^;]*" "\\1" _numbers "${_lines}")
    list(JOIN _numbers "." SerialHDF5_VERSION)
  endforeach()
endif()

find_package_handle_standard_args(SerialHDF5 REQUIRED_VARS SerialHDF5_LIBRARY SerialHDF5_INCLUDE_DIR
                                  VERSION_VAR SerialHDF5_VERSION)

if(SerialHDF5_FOUND AND NOT TARGET SerialHDF5::hdf5)
  add_library(SerialHDF5::hdf5 UNKNOWN IMPORTED)
  set_target_properties(SerialHDF5::hdf5 PROPERTIES
    IMPORTED_LOCATION "${SerialHDF5_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${SerialHDF5_INCLUDE_DIR}")
endif()
