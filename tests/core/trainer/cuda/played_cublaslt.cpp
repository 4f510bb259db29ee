// SPDX-License-Identifier: GPL-3.0-or-later
// cuBLASLt of the played GPU: products of matrices in its order of columns.
#include "core/trainer/base/number_format.h"

#include "played_gpu.h"

#include <cstring>

#include <cublasLt.h>

using namespace quadric::trainer;
using namespace quadric::trainer::testing;

struct cublasLtContext {
    int unused = 0;
};

namespace {

struct Layout {
    cudaDataType_t type;
    std::uint64_t rows, columns;
    std::int64_t leading;
    std::size_t numberBytes() const { return type == CUDA_R_32F ? 4 : 2; }
};

struct Product {
    cublasOperation_t left = CUBLAS_OP_N, right = CUBLAS_OP_N;
    cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    const float* bias = nullptr;
};

float loaded(const Layout& layout, const void* data, std::uint64_t row, std::uint64_t column)
{
    const auto at = static_cast<std::size_t>(column) * static_cast<std::size_t>(layout.leading) + row;
    if (layout.type == CUDA_R_32F)
        return static_cast<const float*>(data)[at];
    const std::uint16_t bits = static_cast<const std::uint16_t*>(data)[at];
    return layout.type == CUDA_R_16F ? fromFp16(bits) : fromBf16(bits);
}

void store(const Layout& layout, void* data, std::uint64_t row, std::uint64_t column, float value)
{
    const auto at = static_cast<std::size_t>(column) * static_cast<std::size_t>(layout.leading) + row;
    if (layout.type == CUDA_R_32F)
        static_cast<float*>(data)[at] = value;
    else
        static_cast<std::uint16_t*>(data)[at] = layout.type == CUDA_R_16F ? toFp16(value) : toBf16(value);
}

void multiply(const Product& product, const Layout& a, const void* left, const Layout& b, const void* right,
              const Layout& d, void* result)
{
    const bool leftTurned = product.left == CUBLAS_OP_T;
    const bool rightTurned = product.right == CUBLAS_OP_T;
    const std::uint64_t inner = leftTurned ? a.rows : a.columns;
    for (std::uint64_t row = 0; row < d.rows; ++row)
        for (std::uint64_t column = 0; column < d.columns; ++column) {
            float sum = product.epilogue == CUBLASLT_EPILOGUE_BIAS ? product.bias[row] : 0.0F;
            for (std::uint64_t k = 0; k < inner; ++k)
                sum += (leftTurned ? loaded(a, left, k, row) : loaded(a, left, row, k)) *
                       (rightTurned ? loaded(b, right, column, k) : loaded(b, right, k, column));
            store(d, result, row, column, sum);
        }
}

Product& productOf(cublasLtMatmulDesc_t description)
{
    return *reinterpret_cast<Product*>(description);
}
Layout& layoutOf(cublasLtMatrixLayout_t layout)
{
    return *reinterpret_cast<Layout*>(layout);
}

/// Shapes that fit, for heuristics and products alike.
void checkShapes(const Product& product, const Layout& a, const Layout& b, const Layout& d)
{
    const bool leftTurned = product.left == CUBLAS_OP_T;
    const bool rightTurned = product.right == CUBLAS_OP_T;
    if ((leftTurned ? a.columns : a.rows) != d.rows || (rightTurned ? b.rows : b.columns) != d.columns ||
        (leftTurned ? a.rows : a.columns) != (rightTurned ? b.columns : b.rows))
        noteViolation("cuBLASLt: the matrices do not fit together");
    if (product.epilogue == CUBLASLT_EPILOGUE_BIAS && product.bias == nullptr)
        noteViolation("cuBLASLt: a bias without a pointer");
}

} // namespace

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle)
{
    *handle = new cublasLtContext;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}
const char* cublasLtGetStatusString(cublasStatus_t)
{
    return "of the played cuBLASLt";
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType_t type,
                                          std::uint64_t rows, std::uint64_t columns, std::int64_t leading)
{
    if (leading < static_cast<std::int64_t>(rows))
        noteViolation("cuBLASLt: columns overlap");
    *layout = reinterpret_cast<cublasLtMatrixLayout_t>(new Layout{type, rows, columns, leading});
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout)
{
    delete &layoutOf(layout);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* description, cublasComputeType_t compute,
                                        cudaDataType_t scale)
{
    if (compute == CUBLAS_COMPUTE_32F_FAST_TF32)
        countCall("product in TF32");
    if ((compute != CUBLAS_COMPUTE_32F && compute != CUBLAS_COMPUTE_32F_FAST_TF32) || scale != CUDA_R_32F)
        noteViolation("cuBLASLt: products are not added in fp32");
    *description = reinterpret_cast<cublasLtMatmulDesc_t>(new Product);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description)
{
    delete &productOf(description);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t description,
                                              cublasLtMatmulDescAttributes_t name, const void* value,
                                              std::size_t bytes)
{
    Product& product = productOf(description);
    const bool isPointer = name == CUBLASLT_MATMUL_DESC_BIAS_POINTER;
    if (bytes != (isPointer ? sizeof(void*) : sizeof(std::int32_t)))
        noteViolation("cuBLASLt: an attribute has a wrong size");
    if (name == CUBLASLT_MATMUL_DESC_TRANSA)
        std::memcpy(&product.left, value, bytes);
    else if (name == CUBLASLT_MATMUL_DESC_TRANSB)
        std::memcpy(&product.right, value, bytes);
    else if (name == CUBLASLT_MATMUL_DESC_EPILOGUE)
        std::memcpy(&product.epilogue, value, bytes);
    else if (isPointer)
        std::memcpy(&product.bias, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference)
{
    *preference = new cublasLtMatmulPreferenceOpaque_t{};
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference)
{
    delete preference;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
                                                    cublasLtMatmulPreferenceAttributes_t name, const void*,
                                                    std::size_t bytes)
{
    const bool isWorkspace = name == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES;
    if (bytes != (isWorkspace ? sizeof(std::uint64_t) : sizeof(std::uint32_t)))
        noteViolation("cuBLASLt: a preference has a wrong size");
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t description,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t, int,
                                              cublasLtMatmulHeuristicResult_t results[], int* found)
{
    checkShapes(productOf(description), layoutOf(a), layoutOf(b), layoutOf(d));
    results[0] = {};
    *found = 1;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t description, const void* alpha,
                              const void* left, cublasLtMatrixLayout_t a, const void* right,
                              cublasLtMatrixLayout_t b, const void* beta, const void*, cublasLtMatrixLayout_t,
                              void* result, cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t*,
                              void* workspace, std::size_t workspaceBytes, cudaStream_t stream)
{
    const Product product = productOf(description);
    const Layout first = layoutOf(a), second = layoutOf(b), third = layoutOf(d);
    checkShapes(product, first, second, third);
    if (*static_cast<const float*>(alpha) != 1.0F || *static_cast<const float*>(beta) != 0.0F)
        noteViolation("cuBLASLt: another scale than the test expects");
    for (const void* matrix : {left, right, static_cast<const void*>(result)}) {
        if (reinterpret_cast<std::uintptr_t>(matrix) % 16 != 0 || !isDeviceMemory(matrix, 1))
            noteViolation("cuBLASLt: a matrix is less aligned than was said, or not on the GPU");
    }
    if (!isDeviceMemory(workspace, workspaceBytes))
        noteViolation("cuBLASLt: the workspace is not on the GPU");
    enqueue(stream, [=] { multiply(product, first, left, second, right, third, result); });
    return CUBLAS_STATUS_SUCCESS;
}
}
