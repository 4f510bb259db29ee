# One library per folder. A target sees the headers of the folders that it links and no others: every library publishes a
# directory of its own that holds one link, to its folder. `#include "core/study/factor.h"` therefore compiles only where
# the layering of docs/architecture.md allows it.

# Warnings are errors with the compilers that were tried; those of a compiler that nobody has seen yet stay warnings.
set(newest_tried_GNU 14)
set(newest_tried_Clang 19)
set(QUADRIC_WARNINGS_ARE_ERRORS OFF)
string(REGEX MATCH "^[0-9]+" compiler_major "${CMAKE_CXX_COMPILER_VERSION}")
if(QUADRIC_WERROR AND compiler_major LESS_EQUAL "${newest_tried_${CMAKE_CXX_COMPILER_ID}}")
    set(QUADRIC_WARNINGS_ARE_ERRORS ON)
elseif(QUADRIC_WERROR)
    message(STATUS "Warnings are not errors: ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} was not tried yet")
endif()

# lld links in a fifth of the time.
find_program(QUADRIC_LLD ld.lld)

add_library(quadric_options INTERFACE)
target_link_options(quadric_options INTERFACE $<$<BOOL:${QUADRIC_LLD}>:-fuse-ld=lld>)
target_compile_features(quadric_options INTERFACE cxx_std_20)
target_compile_options(quadric_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual $<$<BOOL:${QUADRIC_WARNINGS_ARE_ERRORS}>:-Werror>
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:QUADRIC_MAY_CONVERT>>>:-Wconversion> -Wno-sign-conversion
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>>:-Wno-dangling-reference>) # GCC 13 and 14: any temporary argument is taken for what the result refers to
if(QUADRIC_SANITIZE)
    target_compile_options(quadric_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
        -fno-omit-frame-pointer
        $<$<CXX_COMPILER_ID:Clang>:-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitizers.ignore> # not for templates of others
        $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>) # loops that Clang does not vectorize between its checks
    target_link_options(quadric_options INTERFACE -fsanitize=address,undefined)
endif()

# quadric_compile_together(<target>): most of a file's time goes into the headers of libraries; eight files at a time read them once.
# Names in anonymous namespaces must then differ within a folder. (GCC takes the files for headers of the one that includes them, where
# a class could not have members of such types.)
function(quadric_compile_together target)
    if(QUADRIC_UNITY)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
    endif()
endfunction()

function(quadric_library_options target)
    if(QUADRIC_FUZZ)
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
endfunction()

# Tests are compiled for soon being compiled: what they measure lies in the libraries.
function(quadric_test_options target)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>
        "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=") # __FILE__, which every check names, is the same in all clones: one compiler cache serves them
endfunction()

# quadric_publish(<target> <scope> <folder>): the target sees the headers of the folder; with PUBLIC, so do those that link it.
function(quadric_publish target scope folder)
    string(REGEX REPLACE "^quadric_" "" name "${target}")
    set(published "${PROJECT_BINARY_DIR}/include/${name}")
    get_filename_component(parent "${published}/${folder}" DIRECTORY)
    file(REMOVE_RECURSE "${published}") # in a build folder of before, a part of the path may be the link
    file(MAKE_DIRECTORY "${parent}")
    file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${folder}" "${published}/${folder}" SYMBOLIC)
    target_include_directories(${target} ${scope} "${published}")
endfunction()

# quadric_never_links(<target> <forbidden>...): stops the configuration where the target links one of these, however indirectly.
function(quadric_never_links target)
    set(open "${target}")
    set(seen)
    while(NOT open STREQUAL "")
        list(POP_FRONT open next)
        string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" next "${next}")
        if(TARGET "${next}" AND NOT next IN_LIST seen)
            get_target_property(name "${next}" ALIASED_TARGET)
            if(NOT name)
                set(name "${next}")
            endif()
            if(name IN_LIST ARGN)
                message(FATAL_ERROR "${target} links ${name}, which it must not know (docs/architecture.md)")
            endif()
            get_target_property(links "${name}" INTERFACE_LINK_LIBRARIES)
            list(APPEND seen "${next}")
            if(NOT links MATCHES "-NOTFOUND$")
                list(APPEND open ${links})
            endif()
        endif()
    endwhile()
endfunction()

# quadric_library(<folder> [NAME <name>] SOURCES <file>... [DEPENDS <target>...] [PRIVATE_DEPENDS <target>...]) makes the target quadric::<name>
# (the folder with underscores where none is given) from the sources of the current directory.
function(quadric_library folder)
    cmake_parse_arguments(arg "" "NAME" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
    string(REPLACE "/" "_" name "${folder}")
    if(arg_NAME)
        set(name "${arg_NAME}")
    endif()
    set(target "quadric_${name}")
    add_library(${target} STATIC ${arg_SOURCES})
    add_library(quadric::${name} ALIAS ${target})

    quadric_publish(${target} PUBLIC "${folder}")
    target_link_libraries(${target} PUBLIC ${arg_DEPENDS} PRIVATE quadric_options ${arg_PRIVATE_DEPENDS})
    quadric_library_options(${target})
    if(folder MATCHES "^(widgets|app/gui|core/run)")
        quadric_run_moc(${target})
    endif()
    quadric_compile_together(${target})
    if(folder MATCHES "^(widgets|app/gui)")
        quadric_use_precompiled(${target} widgets_headers)
    elseif(arg_DEPENDS MATCHES "(^|;)(quadric::core_run|Qt6::Core)(;|$)")
        quadric_use_precompiled(${target} qt_core_headers)
    elseif(folder MATCHES "^core/(model|design|optimize)" OR arg_DEPENDS MATCHES "Eigen3::Eigen|quadric::core_study")
        quadric_use_precompiled(${target} core_headers)
    endif()
endfunction()

# quadric_relocatable(<program>): of a build of the trainer alone, a program that finds the libraries in ../lib wherever it
# is copied to, also those that a library needs (DT_RPATH; DT_RUNPATH does not reach so far).
function(quadric_relocatable target)
    if(QUADRIC_TRAINER_ONLY)
        set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
        target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
    endif()
endfunction()

# quadric_test(<name> SOURCES <file>... DEPENDS <target>... [DEFINITIONS ...] [TIMEOUT <s>] [OPTIMIZED]): one GoogleTest program, one CTest
# entry. OPTIMIZED: the test itself computes for long.
function(quadric_test name)
    cmake_parse_arguments(arg "OPTIMIZED" "TIMEOUT" "SOURCES;DEPENDS;DEFINITIONS" ${ARGN})
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 300)
    endif()
    add_executable(${name} ${arg_SOURCES})
    quadric_compile_together(${name})
    quadric_test_options(${name})
    target_link_libraries(${name} PRIVATE quadric_options test_paths ${arg_DEPENDS} GTest::gtest GTest::gmock GTest::gtest_main)
    if(arg_OPTIMIZED) # a precompiled header serves one level of optimization
        target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    elseif(arg_DEPENDS MATCHES "(^|;)(quadric::core_run|quadric::app_cli|Qt6::[A-Za-z]+)(;|$)")
        quadric_use_precompiled(${name} qt_test_headers)
    else()
        quadric_use_precompiled(${name} test_headers)
    endif()
    target_compile_definitions(${name} PRIVATE ${arg_DEFINITIONS})
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT})
endfunction()

# quadric_qt_tests(<program> [PREFIX <prefix>] SOURCES <file>... DEPENDS <target>...): one Qt Test program, run without a display. Each of its
# files called x_test.cpp has one QUADRIC_QT_TEST and is a CTest entry of its own, `program x_test`, called x_test after the prefix.
function(quadric_qt_tests program)
    cmake_parse_arguments(arg "" "PREFIX" "SOURCES;DEPENDS;DEFINITIONS" ${ARGN})
    add_executable(${program} ${arg_SOURCES} "${PROJECT_SOURCE_DIR}/tests/support/qt_tests_main.cpp")
    quadric_run_moc(${program})
    quadric_compile_together(${program})
    quadric_test_options(${program})
    target_link_libraries(${program} PRIVATE quadric_options test_paths qt_tests ${arg_DEPENDS} Qt6::Test)
    set_target_properties(${program} PROPERTIES QUADRIC_MAY_CONVERT ON) # QTRY_VERIFY of Qt 6.8 makes milliseconds an int
    if(arg_DEPENDS MATCHES "widgets|app_gui|Qt6::Widgets")
        quadric_use_precompiled(${program} widgets_test_headers)
    else()
        quadric_use_precompiled(${program} run_test_headers)
    endif()
    target_compile_definitions(${program} PRIVATE ${arg_DEFINITIONS})
    foreach(source ${arg_SOURCES})
        get_filename_component(test "${source}" NAME_WE)
        if(test MATCHES "_test$")
            add_test(NAME ${arg_PREFIX}${test} COMMAND ${program} ${test})
            set_tests_properties(${arg_PREFIX}${test} PROPERTIES TIMEOUT 300 ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
        endif()
    endforeach()
endfunction()
