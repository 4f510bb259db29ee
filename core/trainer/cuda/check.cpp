// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/check.h"

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
    if (status != ncclSuccess)
        fail(kCommunication, call,
             (std::string(ncclGetErrorString(status)) + " (" + ncclGetLastError(nullptr) + ")").c_str());
}

} // namespace quadric::trainer::cuda
