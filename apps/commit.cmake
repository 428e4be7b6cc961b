# Writes FILE with the commit of the tree SOURCE, where it has changed: run at every build.
execute_process(COMMAND ${CMAKE_COMMAND} -E env GIT_OPTIONAL_LOCKS=0 git -C "${SOURCE}" describe --always --dirty --abbrev=40 --exclude=*
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
if(failed OR NOT commit)
  set(commit "unknown")
endif()
set(text "#define CATENA_COMMIT \"${commit}\"\n")
set(before "")
if(EXISTS "${FILE}")
  file(READ "${FILE}" before)
endif()
if(NOT before STREQUAL text)
  file(WRITE "${FILE}" "${text}")
endif()
