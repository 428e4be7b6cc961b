# The installed package: find_package(catena [COMPONENTS core backends solvers problems experiment io]). The tree may be moved.
#   part "development"  headers, static libraries, CMake files
#   part "program"      bin/catena
include(CMakePackageConfigHelpers)

set(CATENA_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/catena")

set(CATENA_TARGETS_core catena_core)
set(CATENA_TARGETS_backends catena_backends)
set(CATENA_TARGETS_solvers catena_solvers)
set(CATENA_TARGETS_problems catena_problems)
set(CATENA_TARGETS_experiment catena_output catena_experiment catena_studies catena_builtin)
set(CATENA_TARGETS_io catena_io catena)
foreach(component IN LISTS CATENA_BUILT)
  install(TARGETS ${CATENA_TARGETS_${component}} EXPORT catena-${component}-targets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  install(EXPORT catena-${component}-targets NAMESPACE catena:: DESTINATION ${CATENA_PACKAGE_DIR} COMPONENT development)
endforeach()
if(TARGET catena_app)
  install(TARGETS catena_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()

# Headers of what is built, and no others: a header that is there can be used. Some include files of other libraries,
# which only our own sources see.
set(ours_alone "")
foreach(name cholmod_handle hdf5_handle ida_session ida_work)
  list(APPEND ours_alone PATTERN "${name}.hpp" EXCLUDE)
endforeach()
set(without ${ours_alone})
if(NOT CATENA_HAS_backends)
  list(APPEND without PATTERN "backends" EXCLUDE)
endif()
set(layers_experiment output experiment builtin)
set(layers_io io cli)
foreach(component experiment io)
  if(NOT CATENA_HAS_${component})
    foreach(layer ${layers_${component}})
      list(APPEND without REGEX "/catena/${layer}$" EXCLUDE)
    endforeach()
  endif()
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/lib/catena" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
        FILES_MATCHING PATTERN "*.hpp" ${without})
foreach(folder solvers problems studies)
  if(TARGET catena_${folder})
    set(without ${ours_alone})
    if(folder STREQUAL "solvers" AND NOT Sundials_FOUND)
      set(without REGEX "/ida(_[a-z_]+)?\\.hpp$" EXCLUDE)
    endif()
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/catena
            COMPONENT development FILES_MATCHING PATTERN "*.hpp" ${without})
  endif()
endforeach()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/catenaConfig.cmake.in" "${PROJECT_BINARY_DIR}/catenaConfig.cmake"
                              INSTALL_DESTINATION ${CATENA_PACKAGE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/catenaConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/catenaConfig.cmake" "${PROJECT_BINARY_DIR}/catenaConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindSuiteSparse.cmake" "${PROJECT_SOURCE_DIR}/cmake/FindSundials.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindSerialHDF5.cmake" "${PROJECT_SOURCE_DIR}/cmake/FindLibYAML.cmake"
        DESTINATION ${CATENA_PACKAGE_DIR} COMPONENT development)
