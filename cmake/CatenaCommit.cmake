# The commit for the manifest of results, in commit.hpp: what includes it is compiled anew when it changes, and nothing else.
add_custom_target(catena_commit BYPRODUCTS "${PROJECT_BINARY_DIR}/commit/commit.hpp"
  COMMAND ${CMAKE_COMMAND} -D "SOURCE=${PROJECT_SOURCE_DIR}" -D "FILE=${PROJECT_BINARY_DIR}/commit/commit.hpp"
          -P "${PROJECT_SOURCE_DIR}/apps/commit.cmake")

function(catena_knows_commit target)
  add_dependencies(${target} catena_commit)
  target_include_directories(${target} PRIVATE "${PROJECT_BINARY_DIR}/commit")
endfunction()
