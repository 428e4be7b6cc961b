# The installed package: find_package(catena [COMPONENTS core solvers problems io]).
include(CMakePackageConfigHelpers)

set(CATENA_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/catena")

install(TARGETS catena_core catena_backends EXPORT catena-core-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS catena_solvers EXPORT catena-solvers-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS catena_problems EXPORT catena-problems-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS catena_output catena_studies catena_io catena EXPORT catena-io-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET catena_app)
  install(TARGETS catena_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
foreach(component core solvers problems io)
  install(EXPORT catena-${component}-targets NAMESPACE catena:: DESTINATION ${CATENA_PACKAGE_DIR})
endforeach()

install(DIRECTORY "${PROJECT_SOURCE_DIR}/lib/catena" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
foreach(folder solvers problems studies)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/catena FILES_MATCHING PATTERN "*.hpp")
endforeach()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/catenaConfig.cmake.in" "${PROJECT_BINARY_DIR}/catenaConfig.cmake"
                              INSTALL_DESTINATION ${CATENA_PACKAGE_DIR})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/catenaConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/catenaConfig.cmake" "${PROJECT_BINARY_DIR}/catenaConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindSuiteSparse.cmake" "${PROJECT_SOURCE_DIR}/cmake/FindSundials.cmake"
        DESTINATION ${CATENA_PACKAGE_DIR})
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION ${CMAKE_INSTALL_DOCDIR})
