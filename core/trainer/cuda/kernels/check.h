// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/failure.h"

#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <cudnn.h>
#include <nccl.h>

#include <string_view>

namespace quadric::trainer::cuda {

// Throw Failure with the call's text and the library's words where a call did not succeed: out-of-memory
// where the library says so, communication for NCCL, internal otherwise.
void check(cudaError_t status, const char* call);
void check(cudnnStatus_t status, const char* call);
void check(cublasStatus_t status, const char* call);
void check(ncclResult_t status, const char* call);

/// The kind of failure that a status of the CUDA runtime is reported as.
const char* failureKind(cudaError_t status);
const char* failureKind(cudnnStatus_t status);
const char* failureKind(cublasStatus_t status);
/// NCCL reports memory that it does not get as an error of CUDA or of the system; `lastError` has its words.
const char* failureKind(ncclResult_t status, std::string_view lastError);

} // namespace quadric::trainer::cuda

/// Checks a call of CUDA, cuDNN, cuBLASLt or NCCL; a macro, because the message holds the call's text.
#define QUADRIC_CHECKED(call) ::quadric::trainer::cuda::check((call), #call)
