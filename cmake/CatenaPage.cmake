# The script of the page of `catena report` and `catena view`, bundled from apps/page by esbuild with what npm fetches once,
# when the build is configured. Sets CATENA_PAGE_FOUND; catena_page() gives it to the library. The cache entry
# CATENA_WITH_PAGE decides: AUTO takes it where npm is there and reaches its packages, ON insists, OFF does not look.
set(CATENA_WITH_PAGE AUTO CACHE STRING "the page of catena report: AUTO where npm is found, ON must be there, OFF not made")
set_property(CACHE CATENA_WITH_PAGE PROPERTY STRINGS AUTO ON OFF)
set(CATENA_PAGE_FOUND OFF)
set(page_source "${PROJECT_SOURCE_DIR}/apps/page")
set(page_folder "${PROJECT_BINARY_DIR}/page")

macro(catena_no_page why)
  if("${CATENA_WITH_PAGE}" STREQUAL "ON")
    message(FATAL_ERROR "CATENA_WITH_PAGE is ON, but ${why}")
  endif()
  message(STATUS "No page: ${why}; catena report and catena view are left out.\n"
                 "   On Debian and Ubuntu:  apt-get install nodejs npm")
endmacro()

if("${CATENA_WITH_PAGE}" STREQUAL "OFF")
  message(STATUS "CATENA_WITH_PAGE is OFF: catena report and catena view are left out")
else()
  find_program(CATENA_NPM npm)
  find_program(CATENA_NODE NAMES node nodejs)
  if(NOT CATENA_NPM OR NOT CATENA_NODE)
    catena_no_page("npm was not found")
  else()
    # Packages lie in the build, not in the source, and are fetched again only when their list changes.
    file(SHA256 "${page_source}/package-lock.json" page_lock)
    set(page_stamp "")
    if(EXISTS "${page_folder}/fetched")
      file(READ "${page_folder}/fetched" page_stamp)
    endif()
    if(NOT page_stamp STREQUAL page_lock)
      message(STATUS "Fetching the packages of the page with npm")
      file(COPY "${page_source}/package.json" "${page_source}/package-lock.json" DESTINATION "${page_folder}")
      execute_process(COMMAND "${CATENA_NPM}" ci --ignore-scripts --no-audit --no-fund --loglevel=error --prefer-offline
                              --fetch-timeout=30000 --fetch-retries=1
                      WORKING_DIRECTORY "${page_folder}" TIMEOUT 120
                      RESULT_VARIABLE page_failed OUTPUT_VARIABLE page_said ERROR_VARIABLE page_said)
      if(page_failed EQUAL 0)
        file(WRITE "${page_folder}/fetched" "${page_lock}")
        set(page_stamp "${page_lock}")
      endif()
    endif()
    if(NOT page_stamp STREQUAL page_lock)
      string(REGEX REPLACE "\n.*" "" page_said "${page_said}")
      catena_no_page("npm could not fetch its packages (${page_said})")
    else()
      set(CATENA_PAGE_FOUND ON)
    endif()
  endif()
endif()

function(catena_page)
  file(GLOB sources CONFIGURE_DEPENDS "${page_source}/src/*.js")
  # A page is passed on, and carries the licences of what is in it.
  add_custom_command(
    OUTPUT "${page_folder}/licences.txt"
    COMMAND "${CATENA_NODE}" "${page_source}/licences.mjs" "${page_folder}"
    DEPENDS "${page_source}/licences.mjs" "${page_folder}/fetched"
    COMMENT "Gathering the licences of the page of catena report" VERBATIM)
  # Two scripts: the page with the moving picture, and the plots, which are run behind it.
  add_custom_command(
    OUTPUT "${page_folder}/page.js" "${page_folder}/charts.js" "${page_folder}/page.css"
    COMMAND ${CMAKE_COMMAND} -E env "NODE_PATH=${page_folder}/node_modules"
            "${CATENA_NODE}" "${page_folder}/node_modules/esbuild/bin/esbuild" "${page_source}/src/page.js" "${page_source}/src/charts.js"
            --bundle --minify --format=iife --target=es2022 --legal-comments=none "--alias:licences=${page_folder}/licences.txt" --charset=utf8 --log-level=warning
            "--outdir=${page_folder}"
    DEPENDS ${sources} "${page_folder}/licences.txt" "${page_source}/src/page.css" "${page_folder}/fetched"
    COMMENT "Bundling the page of catena report" VERBATIM)
  set_source_files_properties("${PROJECT_SOURCE_DIR}/lib/catena/output/page_script.cpp" PROPERTIES
    OBJECT_DEPENDS "${page_folder}/page.js;${page_folder}/charts.js;${page_folder}/page.css"
    COMPILE_DEFINITIONS "CATENA_HAS_PAGE;CATENA_PAGE_SCRIPT=\"${page_folder}/page.js\";CATENA_PAGE_CHARTS=\"${page_folder}/charts.js\";CATENA_PAGE_STYLE=\"${page_folder}/page.css\"")
  set_property(SOURCE "${PROJECT_SOURCE_DIR}/lib/catena/output/page_file.cpp" APPEND PROPERTY
    COMPILE_DEFINITIONS CATENA_HAS_PAGE)
endfunction()
