# libyaml: one imported target LibYAML::yaml. A module of our own, because the Debian package has no CMake files. It is
# installed with the package, because the installed targets name LibYAML::yaml.
include(FindPackageHandleStandardArgs)

find_path(LibYAML_INCLUDE_DIR yaml.h)
find_library(LibYAML_LIBRARY yaml)
mark_as_advanced(LibYAML_INCLUDE_DIR LibYAML_LIBRARY)

find_package_handle_standard_args(LibYAML REQUIRED_VARS LibYAML_LIBRARY LibYAML_INCLUDE_DIR)

if(LibYAML_FOUND AND NOT TARGET LibYAML::yaml)
  add_library(LibYAML::yaml UNKNOWN IMPORTED)
  set_target_properties(LibYAML::yaml PROPERTIES
    IMPORTED_LOCATION "${LibYAML_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${LibYAML_INCLUDE_DIR}")
endif()
