# Sources by layer, without lists: a new file is found at the next build.
#
# A file *.isa.cpp is compiled once per instruction set, each time into a namespace of its own
# (lib/catena/math/parts/isa.hpp), and the program chooses at run time (lib/catena/math/detail/cpu.hpp).

set(CATENA_ISA_SETS base)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND NOT CATENA_BASE_ISA_ONLY)
  list(APPEND CATENA_ISA_SETS avx2 avx512)
endif()
set(CATENA_ISA_LEVEL_base 0)
set(CATENA_ISA_LEVEL_avx2 1)
set(CATENA_ISA_LEVEL_avx512 2)
# The baseline copies serve processors from before 2013: at -O3 they cost ten times the compile time.
set(CATENA_ISA_FLAGS_base $<$<CONFIG:Release>:-O1>)
set(CATENA_ISA_FLAGS_avx2 -mavx2 -mfma)
# g++ copies a Pack<8> of 64 bytes through the stack in pieces of 16 bytes, and loads of 32 bytes then wait for the stores.
# Without it steps of 1000 bodies take 1.17 times as long with spherical joints, 1.09 times with hinges (AVX-512 Xeon with
# CATENA_ISA_MAX=1, fastest step of 8 interleaved runs). -mmove-max=512 for AVX-512 changed nothing.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag("-mmove-max=256 -mstore-max=256" CATENA_HAS_MOVE_MAX)
if(CATENA_HAS_MOVE_MAX)
  list(APPEND CATENA_ISA_FLAGS_avx2 -mmove-max=256 -mstore-max=256)
endif()
set(CATENA_ISA_FLAGS_avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mprefer-vector-width=512)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 warns of its own intrinsics' deliberately undefined registers (GCC bug 105593).
  list(APPEND CATENA_ISA_FLAGS_avx2 -Wno-uninitialized -Wno-maybe-uninitialized)
  list(APPEND CATENA_ISA_FLAGS_avx512 -Wno-uninitialized -Wno-maybe-uninitialized)
endif()

# catena_isa_objects(target set name options file...): the files compiled for one instruction set, as objects of the target.
function(catena_isa_objects target set name options)
  if(NOT ARGN)
    return()
  endif()
  set(objects ${target}_isa_${set}_${name})
  add_library(${objects} OBJECT ${ARGN})
  catena_private_flags(${objects})
  target_include_directories(${objects} PRIVATE ${PROJECT_SOURCE_DIR}/lib ${PROJECT_BINARY_DIR}/include)
  target_compile_definitions(${objects} PRIVATE CATENA_ISA=${set} CATENA_ISA_LEVEL=${CATENA_ISA_LEVEL_${set}})
  target_compile_options(${objects} PRIVATE "$<$<CONFIG:Release>:${options}>" ${CATENA_ISA_FLAGS_${set}}
    $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)  # an unrolling hint that is not followed is no mistake
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
  set_property(GLOBAL APPEND PROPERTY CATENA_ISA_TARGETS ${objects})
endfunction()

# catena_sources(target file...): the files *.isa.cpp among them once per instruction set, the others once.
function(catena_sources target)
  set(isa_files ${ARGN})
  set(plain_files ${ARGN})
  list(FILTER isa_files INCLUDE REGEX "\\.isa\\.cpp$")
  list(FILTER plain_files EXCLUDE REGEX "\\.isa\\.cpp$")
  if(plain_files)
    target_sources(${target} PRIVATE ${plain_files})
  endif()
  if(NOT isa_files)
    return()
  endif()
  # The rows of elements for AVX-512 are written in packs of its registers: -O3 took twice as long to compile them as -O2,
  # for steps of the same time (bench_steps: hinges 517 to 524 ns a step and body, spherical joints 513 to 521). AVX2 has
  # two registers a pack and fewer of them: -O2 made steps 5 % slower (711 against 676 ns).
  set(rows ${isa_files})
  list(FILTER rows INCLUDE REGEX "/lane_functions\\.isa\\.cpp$")
  list(FILTER isa_files EXCLUDE REGEX "/lane_functions\\.isa\\.cpp$")
  foreach(set IN LISTS CATENA_ISA_SETS)
    catena_isa_objects(${target} ${set} kernels "-O3" ${isa_files})
    set(level "-O3")
    if(set STREQUAL "avx512")
      set(level "-O2;$<$<CXX_COMPILER_ID:GNU>:-fpeel-loops>")
    endif()
    catena_isa_objects(${target} ${set} rows "${level}" ${rows})
  endforeach()
endfunction()

# catena_library(name directory...): the static library catena_<name>, also catena::<name>, made of every
# source file below the directories.
function(catena_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DIRECTORIES;EXCLUDE")
  set(files "")
  foreach(directory IN LISTS arg_DIRECTORIES)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS "${directory}/*.cpp")
    list(APPEND files ${found})
  endforeach()
  foreach(pattern IN LISTS arg_EXCLUDE)
    list(FILTER files EXCLUDE REGEX "${pattern}")
  endforeach()

  set(target catena_${name})
  set(anchor "${PROJECT_BINARY_DIR}/anchor.cpp")  # a library of headers alone is still a library
  if(NOT EXISTS "${anchor}")
    file(WRITE "${anchor}" "namespace catena {}\n")
  endif()
  add_library(${target} STATIC "${anchor}")
  add_library(catena::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  catena_private_flags(${target})
  target_compile_features(${target} PUBLIC cxx_std_20)
  # Same bits everywhere: a compiler may not fuse a*b+c where the source does not say fma.
  target_compile_options(${target} INTERFACE -ffp-contract=off)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/lib>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  catena_sources(${target} ${files})
  set(apart ${files})
  list(FILTER apart INCLUDE REGEX
    "/(backends/[a-z_]+|(lanczos|arnoldi)_modes|euler_ball_joint|joint_tree_dynamics|multiplier_pole|result_fields|scenario|step_resolution)\\.cpp$")
  catena_unity(${target} 12 ${apart})
endfunction()
