# Spectra: headers alone, one imported target Spectra::Spectra. A module of our own, because the Debian package has no CMake
# files. It is not installed with the package: no installed header includes Spectra.
include(FindPackageHandleStandardArgs)

find_path(Spectra_INCLUDE_DIR Spectra/SymGEigsShiftSolver.h)  # came with 1.0
mark_as_advanced(Spectra_INCLUDE_DIR)

find_package_handle_standard_args(Spectra REQUIRED_VARS Spectra_INCLUDE_DIR)

if(Spectra_FOUND AND NOT TARGET Spectra::Spectra)
  add_library(Spectra::Spectra INTERFACE IMPORTED)
  set_target_properties(Spectra::Spectra PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Spectra_INCLUDE_DIR}")
endif()
