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

# Debian's shared library loads curl and thirty libraries more, which is 15 of 39 ms of each start of the program; and the
# program starts itself once more. Executables take the static library where it links; what is loaded into another program,
# as Python's module is, takes the shared one.
if(SerialHDF5_FOUND AND NOT DEFINED SerialHDF5_STATIC)
  get_filename_component(_serialhdf5_folder "${SerialHDF5_LIBRARY}" DIRECTORY)
  get_filename_component(_serialhdf5_name "${SerialHDF5_LIBRARY}" NAME_WE)
  set(_serialhdf5_static "${_serialhdf5_folder}/${_serialhdf5_name}.a" sz z ${CMAKE_DL_LIBS} m)
  set(SerialHDF5_STATIC "" CACHE STRING "what links HDF5 into an executable; empty: its shared library alone does")
  if(EXISTS "${_serialhdf5_folder}/${_serialhdf5_name}.a")
    set(_serialhdf5_test "${CMAKE_BINARY_DIR}/CMakeFiles/serial_hdf5.cpp")
    file(WRITE "${_serialhdf5_test}" "#include <hdf5.h>\nint main() { return H5open() < 0 ? 1 : 0; }\n")
    try_compile(_serialhdf5_links "${CMAKE_BINARY_DIR}/CMakeFiles/serial_hdf5" SOURCES "${_serialhdf5_test}"
      CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${SerialHDF5_INCLUDE_DIR}" LINK_LIBRARIES ${_serialhdf5_static})
    if(_serialhdf5_links)
      set_property(CACHE SerialHDF5_STATIC PROPERTY VALUE "${_serialhdf5_static}")
    endif()
    unset(_serialhdf5_links CACHE)
  endif()
  mark_as_advanced(SerialHDF5_STATIC)
endif()

if(SerialHDF5_FOUND AND NOT TARGET SerialHDF5::hdf5)
  set(_serialhdf5_link "${SerialHDF5_LIBRARY}")
  if(SerialHDF5_STATIC)
    set(_serialhdf5_link
      "$<IF:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>,${SerialHDF5_STATIC},${SerialHDF5_LIBRARY}>")
  endif()
  add_library(SerialHDF5::hdf5 INTERFACE IMPORTED)
  set_target_properties(SerialHDF5::hdf5 PROPERTIES
    INTERFACE_LINK_LIBRARIES "${_serialhdf5_link}"
    INTERFACE_INCLUDE_DIRECTORIES "${SerialHDF5_INCLUDE_DIR}")
endif()
