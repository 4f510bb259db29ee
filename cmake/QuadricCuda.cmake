# The CUDA engine of the trainer is built where the toolkit, cuDNN 9, NCCL and cuBLASLt are found. They may lie in one
# folder (CUDAToolkit_ROOT, CUDA_HOME, CUDA_PATH or /usr/local/cuda), in folders of their own (CUDNN_ROOT, NCCL_ROOT), or
# as pip packages side by side in site-packages/nvidia (QUADRIC_NVIDIA_ROOT names that folder).
# Sets QUADRIC_HAS_CUDA; without it nothing else changes.

function(quadric_find_cuda)
    set(roots ${CUDAToolkit_ROOT} $ENV{CUDAToolkit_ROOT} $ENV{CUDA_HOME} $ENV{CUDA_PATH} /usr/local/cuda)
    file(GLOB packages "${QUADRIC_NVIDIA_ROOT}/*")
    list(APPEND roots ${packages})
    find_program(QUADRIC_NVCC nvcc HINTS ${CMAKE_CUDA_COMPILER} ${roots} PATH_SUFFIXES bin)
    find_path(QUADRIC_CUDART_INCLUDE cuda_runtime_api.h HINTS ${roots} PATH_SUFFIXES include)
    find_library(QUADRIC_CUDART cudart_static HINTS ${roots} PATH_SUFFIXES lib64 lib lib/x64)
    find_library(QUADRIC_CUBLASLT NAMES cublasLt libcublasLt.so.13 libcublasLt.so.12 HINTS ${roots} PATH_SUFFIXES lib64 lib)
    find_path(QUADRIC_CUDNN_INCLUDE cudnn_graph.h HINTS ${CUDNN_ROOT} $ENV{CUDNN_ROOT} ${roots} PATH_SUFFIXES include)
    find_library(QUADRIC_CUDNN NAMES cudnn libcudnn.so.9 HINTS ${CUDNN_ROOT} $ENV{CUDNN_ROOT} ${roots} PATH_SUFFIXES lib64 lib)
    find_path(QUADRIC_NCCL_INCLUDE nccl.h HINTS ${NCCL_ROOT} $ENV{NCCL_ROOT} ${roots} PATH_SUFFIXES include)
    find_library(QUADRIC_NCCL NAMES nccl libnccl.so.2 HINTS ${NCCL_ROOT} $ENV{NCCL_ROOT} ${roots} PATH_SUFFIXES lib64 lib)
endfunction()

function(quadric_check_cuda)
    set(missing)
    foreach(part "QUADRIC_NVCC:nvcc" "QUADRIC_CUDART_INCLUDE:cuda_runtime_api.h" "QUADRIC_CUDART:libcudart_static.a"
            "QUADRIC_CUBLASLT:libcublasLt" "QUADRIC_CUDNN_INCLUDE:cudnn_graph.h (cuDNN 9)" "QUADRIC_CUDNN:libcudnn"
            "QUADRIC_NCCL_INCLUDE:nccl.h" "QUADRIC_NCCL:libnccl")
        string(REGEX MATCH "^([A-Z_]+):(.*)$" matched "${part}")
        if(NOT ${CMAKE_MATCH_1})
            list(APPEND missing "${CMAKE_MATCH_2}")
        endif()
    endforeach()
    list(JOIN missing ", " missing)
    set(QUADRIC_CUDA_MISSING "${missing}" PARENT_SCOPE)
endfunction()

# A toolkit may be too old for the C++ compiler that is there.
function(quadric_try_nvcc)
    if(DEFINED QUADRIC_NVCC_WORKS OR NOT QUADRIC_NVCC)
        return()
    endif()
    set(source "${PROJECT_BINARY_DIR}/try_nvcc.cu")
    file(WRITE "${source}" "__global__ void nothing() {}\n")
    execute_process(COMMAND "${QUADRIC_NVCC}" -ccbin "${CMAKE_CXX_COMPILER}" -std=c++20 -c "${source}" -o "${source}.o"
        RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed)
        set(QUADRIC_NVCC_WORKS OFF CACHE INTERNAL "Whether nvcc and the C++ compiler work together")
    else()
        set(QUADRIC_NVCC_WORKS ON CACHE INTERNAL "Whether nvcc and the C++ compiler work together")
    endif()
endfunction()

set(QUADRIC_HAS_CUDA OFF)
if(QUADRIC_CUDA)
    quadric_find_cuda()
    quadric_check_cuda()
    quadric_try_nvcc()
    if(QUADRIC_CUDA_MISSING)
        message(STATUS "The CUDA engine is left out; not found: ${QUADRIC_CUDA_MISSING}")
    elseif(NOT QUADRIC_NVCC_WORKS)
        message(STATUS "The CUDA engine is left out: ${QUADRIC_NVCC} does not work with ${CMAKE_CXX_COMPILER}; "
            "configure a new folder with a compiler that it supports (CUDA 12.4: CC=gcc-13 CXX=g++-13)")
    else()
        set(CMAKE_CUDA_COMPILER "${QUADRIC_NVCC}")
        if(NOT CMAKE_CUDA_ARCHITECTURES)
            set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 90-virtual)
        endif()
        # nvcc does not find its own libraries in every layout.
        get_filename_component(library_folder "${QUADRIC_CUDART}" DIRECTORY)
        set(CMAKE_CUDA_FLAGS_INIT "-L${library_folder}")
        enable_language(CUDA)
        if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION) # CMake 3.25 does not know that nvcc 13 has it
            set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
            set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
        endif()
        set(QUADRIC_HAS_CUDA ON)
        message(STATUS "The CUDA engine is built for ${CMAKE_CUDA_ARCHITECTURES} with ${QUADRIC_CUDNN}, ${QUADRIC_NCCL}")

        add_library(quadric_cuda INTERFACE)
        target_include_directories(quadric_cuda SYSTEM INTERFACE "${QUADRIC_CUDART_INCLUDE}" "${QUADRIC_CUDNN_INCLUDE}"
            "${QUADRIC_NCCL_INCLUDE}")
        target_link_libraries(quadric_cuda INTERFACE "${QUADRIC_CUDNN}" "${QUADRIC_NCCL}" "${QUADRIC_CUBLASLT}"
            "${QUADRIC_CUDART}" Threads::Threads ${CMAKE_DL_LIBS} rt)
    endif()
endif()
