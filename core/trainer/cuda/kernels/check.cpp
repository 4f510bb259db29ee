// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/kernels/check.h"

namespace quadric::trainer::cuda {

namespace {

[[noreturn]] void fail(const char* kind, const char* call, const char* words)
{
    throw Failure(kind, std::string(call) + ": " + words);
}

} // namespace

const char* failureKind(cudaError_t status)
{
    return status == cudaErrorMemoryAllocation ? kOutOfMemory : kInternal;
}

const char* failureKind(cudnnStatus_t status)
{
    const bool isMemory = status == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED ||
                          status == CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED;
    return isMemory ? kOutOfMemory : kInternal;
}

const char* failureKind(cublasStatus_t status)
{
    return status == CUBLAS_STATUS_ALLOC_FAILED ? kOutOfMemory : kInternal;
}

const char* failureKind(ncclResult_t status, std::string_view lastError)
{
    const bool mayBeMemory = status == ncclUnhandledCudaError || status == ncclSystemError;
    // "Failed to CUDA calloc 536870912 bytes", "Failed to CUDA host alloc …" (NCCL, src/include/alloc.h)
    const bool namesMemory = lastError.find("out of memory") != std::string_view::npos ||
                             lastError.find("Failed to CUDA") != std::string_view::npos;
    return mayBeMemory && namesMemory ? kOutOfMemory : kCommunication;
}

void check(cudaError_t status, const char* call)
{
    if (status == cudaSuccess)
        return;
    cudaGetLastError(); // a failed allocation is not to be found again by the next call
    fail(failureKind(status), call, cudaGetErrorString(status));
}

void check(cudnnStatus_t status, const char* call)
{
    if (status != CUDNN_STATUS_SUCCESS)
        fail(failureKind(status), call, cudnnGetErrorString(status));
}

void check(cublasStatus_t status, const char* call)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        fail(failureKind(status), call, cublasLtGetStatusString(status));
}

void check(ncclResult_t status, const char* call)
{
    if (status == ncclSuccess)
        return;
    const std::string last = ncclGetLastError(nullptr);
    fail(failureKind(status, last), call,
         (std::string(ncclGetErrorString(status)) + " (" + last + ")").c_str());
}

} // namespace quadric::trainer::cuda
