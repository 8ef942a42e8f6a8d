# How every target of the project is compiled, in one place.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# Private flags only: nothing of this reaches who links against the libraries. Contraction is off so
# that a search adds up the same numbers with and without fused multiply-add.
function(gounki_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -ffp-contract=off)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict)  # false on "text" + string, GCC bug 105651
  endif()
  if(GOUNKI_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(GOUNKI_NATIVE)
    target_compile_options(${target} PRIVATE -march=native)
  endif()
  if(GOUNKI_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${GOUNKI_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${GOUNKI_SANITIZE})
  endif()
endfunction()

# gounki_library(core SOURCES … [LINKS …]): the static library gounki::core.
function(gounki_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_library(gounki_${name} STATIC ${ARG_SOURCES})
  add_library(gounki::${name} ALIAS gounki_${name})
  target_include_directories(gounki_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_compile_features(gounki_${name} PUBLIC cxx_std_20)
  target_link_libraries(gounki_${name} PUBLIC ${ARG_LINKS})
  gounki_compile_options(gounki_${name})
endfunction()

# gounki_test(core SOURCES … [LINKS …]): the Catch2 program tests_core; cases tagged [slow] get the
# ctest label "slow", all get the label of their library.
function(gounki_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(tests_${name} ${ARG_SOURCES})
  target_link_libraries(tests_${name} PRIVATE gounki::${name} ${ARG_LINKS} Catch2::Catch2WithMain)
  target_compile_definitions(tests_${name} PRIVATE GOUNKI_GOLDEN="${PROJECT_SOURCE_DIR}/tests/golden")
  gounki_compile_options(tests_${name})
  catch_discover_tests(tests_${name} TEST_SPEC "~[slow]~[.]" TEST_PREFIX "${name}: "
                       PROPERTIES LABELS "${name}" TIMEOUT 600
                       ENVIRONMENT "XDG_CACHE_HOME=${CMAKE_BINARY_DIR}/cache")
  catch_discover_tests(tests_${name} TEST_SPEC "[slow]" TEST_PREFIX "${name}: "
                       TEST_LIST tests_${name}_SLOW PROPERTIES LABELS "${name};slow" TIMEOUT 3000
                       ENVIRONMENT "XDG_CACHE_HOME=${CMAKE_BINARY_DIR}/cache")
endfunction()
