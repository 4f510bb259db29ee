# Qt's moc for the files of a target that have Q_OBJECT, without AUTOMOC: nothing is scanned at each build, and what moc writes is compiled
# together with the target's files. Which files have it is looked up when the build is configured, so that a first Q_OBJECT in a file that was
# there before asks for `cmake .` once.

# quadric_run_moc(<target>): of x.h comes moc_x.cpp, of x.cpp, which includes it at its end, comes x.moc.
function(quadric_run_moc target)
    get_target_property(sources ${target} SOURCES)
    set(candidates)
    foreach(source ${sources})
        cmake_path(ABSOLUTE_PATH source NORMALIZE)
        cmake_path(REPLACE_EXTENSION source LAST_ONLY ".h" OUTPUT_VARIABLE header)
        list(APPEND candidates "${source}" "${header}") # a header need not be listed
    endforeach()
    list(REMOVE_DUPLICATES candidates)

    set(folder "${CMAKE_CURRENT_BINARY_DIR}/moc/${target}")
    foreach(file ${candidates})
        if(NOT EXISTS "${file}" OR NOT file MATCHES "\\.(h|cpp)$")
            continue()
        endif()
        file(STRINGS "${file}" macro REGEX "^ *Q_(OBJECT|GADGET|NAMESPACE)" LIMIT_COUNT 1)
        if(macro STREQUAL "")
            continue()
        endif()
        cmake_path(GET file STEM LAST_ONLY stem)
        cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE shown)
        if(file MATCHES "\\.h$")
            set(output "${folder}/moc_${stem}.cpp")
            set(include "-f${shown}")
        else()
            set(output "${folder}/${stem}.moc")
            set(include "-i")
            target_include_directories(${target} PRIVATE "${folder}")
        endif()
        add_custom_command(OUTPUT "${output}" COMMAND Qt6::moc "${include}" -o "${output}" "${file}" MAIN_DEPENDENCY "${file}" VERBATIM)
        target_sources(${target} PRIVATE "${output}")
    endforeach()
endfunction()
