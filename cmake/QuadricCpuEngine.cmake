# What the trainer's processor engine is made of: oneDNN computes, Gloo exchanges. QUADRIC_CPU_ENGINE says whether both
# are required (ON), taken where they are found (AUTO), or left out (OFF). Sets QUADRIC_HAS_ONEDNN and QUADRIC_HAS_GLOO.

set(QUADRIC_HAS_ONEDNN OFF)
set(QUADRIC_HAS_GLOO OFF)
if(NOT QUADRIC_CPU_ENGINE MATCHES "^(ON|AUTO|OFF)$")
    message(FATAL_ERROR "QUADRIC_CPU_ENGINE is \"${QUADRIC_CPU_ENGINE}\"; expected ON, AUTO or OFF")
endif()

if(NOT QUADRIC_CPU_ENGINE STREQUAL OFF)
    # Debian's CMake package of oneDNN asks for OpenCL, which the CPU engine does not need.
    find_library(DNNL_LIBRARY dnnl)
    find_path(DNNL_INCLUDE_DIR oneapi/dnnl/dnnl.hpp)
    find_package(Gloo QUIET)
    if(DNNL_LIBRARY AND DNNL_INCLUDE_DIR)
        set(QUADRIC_HAS_ONEDNN ON)
        add_library(dnnl_cpu UNKNOWN IMPORTED)
        set_target_properties(dnnl_cpu PROPERTIES IMPORTED_LOCATION "${DNNL_LIBRARY}"
            INTERFACE_INCLUDE_DIRECTORIES "${DNNL_INCLUDE_DIR}")
    endif()
    if(Gloo_FOUND)
        set(QUADRIC_HAS_GLOO ON)
    endif()
endif()

# quadric_say_left_out(<has> <library> <package> <consequence>): what the configuration goes without.
function(quadric_say_left_out has library package consequence)
    if(has)
        return()
    elseif(QUADRIC_CPU_ENGINE STREQUAL ON)
        message(FATAL_ERROR "${library} was not found. Install it (Debian, Ubuntu: ${package}), or leave it out with "
            "-DQUADRIC_CPU_ENGINE=AUTO: ${consequence}.")
    elseif(QUADRIC_CPU_ENGINE STREQUAL AUTO)
        message(STATUS "${library} is left out, because it was not found (Debian, Ubuntu: ${package}): ${consequence}")
    else()
        message(STATUS "${library} is left out, because QUADRIC_CPU_ENGINE is OFF: ${consequence}")
    endif()
endfunction()

quadric_say_left_out("${QUADRIC_HAS_ONEDNN}" oneDNN libdnnl-dev "quadric-trainer does not measure processors")
quadric_say_left_out("${QUADRIC_HAS_GLOO}" Gloo libgloo-dev "ranks of quadric-trainer exchange over its own TCP ring")
