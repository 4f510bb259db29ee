// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/dense.h"

#include "core/trainer/cuda/kernels/check.h"

namespace quadric::trainer::cuda {

namespace {

constexpr std::size_t kDenseWorkspace = std::size_t{32} << 20;
constexpr std::uint32_t kAlignmentBytes = 16; ///< of tensors inside the arena of the parameters

template <typename Handle, auto destroy> struct Releases {
    void operator()(Handle* handle) const noexcept { destroy(handle); }
};
using LtHandle = std::unique_ptr<cublasLtContext, Releases<cublasLtContext, cublasLtDestroy>>;
using Description = std::unique_ptr<cublasLtMatmulDescOpaque_t,
                                    Releases<cublasLtMatmulDescOpaque_t, cublasLtMatmulDescDestroy>>;
using Layout = std::unique_ptr<cublasLtMatrixLayoutOpaque_t,
                               Releases<cublasLtMatrixLayoutOpaque_t, cublasLtMatrixLayoutDestroy>>;
using Preference =
    std::unique_ptr<cublasLtMatmulPreferenceOpaque_t,
                    Releases<cublasLtMatmulPreferenceOpaque_t, cublasLtMatmulPreferenceDestroy>>;

cudaDataType_t typeOf(Precision precision)
{
    switch (precision) {
    case Precision::Bf16:
        return CUDA_R_16BF;
    case Precision::Fp16:
        return CUDA_R_16F;
    case Precision::Fp32:
    case Precision::Tf32:
        break;
    }
    return CUDA_R_32F;
}

LtHandle newHandle()
{
    cublasLtHandle_t handle = nullptr;
    QUADRIC_CHECKED(cublasLtCreate(&handle));
    return LtHandle(handle);
}

/// A matrix as cuBLASLt sees it: columns lie one after the other.
Layout newLayout(cudaDataType_t type, int rows, int columns)
{
    cublasLtMatrixLayout_t layout = nullptr;
    QUADRIC_CHECKED(cublasLtMatrixLayoutCreate(&layout, type, static_cast<std::uint64_t>(rows),
                                               static_cast<std::uint64_t>(columns), rows));
    return Layout(layout);
}

Description newDescription(Precision precision)
{
    const cublasComputeType_t compute =
        precision == Precision::Tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
    cublasLtMatmulDesc_t description = nullptr;
    QUADRIC_CHECKED(cublasLtMatmulDescCreate(&description, compute, CUDA_R_32F));
    return Description(description);
}

Preference newPreference()
{
    cublasLtMatmulPreference_t preference = nullptr;
    QUADRIC_CHECKED(cublasLtMatmulPreferenceCreate(&preference));
    Preference owned(preference);
    QUADRIC_CHECKED(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                         &kDenseWorkspace, sizeof(kDenseWorkspace)));
    for (const auto matrix :
         {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
          CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
        QUADRIC_CHECKED(cublasLtMatmulPreferenceSetAttribute(preference, matrix, &kAlignmentBytes,
                                                             sizeof(kAlignmentBytes)));
    return owned;
}

/// Rows and columns of a matrix before it is transposed.
struct Side {
    int rows = 0;
    int columns = 0;
    bool isTransposed = false;
};

} // namespace

/// One product of two matrices, with the algorithm that the library holds best. `anyBias` is null for a
/// product without bias, otherwise a place that is aligned as the biases are.
class Dense::Product {
public:
    Product(cublasLtHandle_t handle, Precision precision, cudaDataType_t resultType, const Side& left,
            const Side& right, const void* anyBias)
        : m_handle(handle)
        , m_hasBias(anyBias != nullptr)
        , m_description(newDescription(precision))
        , m_left(newLayout(typeOf(precision), left.rows, left.columns))
        , m_right(newLayout(typeOf(precision), right.rows, right.columns))
        , m_result(newLayout(resultType, left.isTransposed ? left.columns : left.rows,
                             right.isTransposed ? right.rows : right.columns))
    {
        set(CUBLASLT_MATMUL_DESC_TRANSA, left.isTransposed ? CUBLAS_OP_T : CUBLAS_OP_N);
        set(CUBLASLT_MATMUL_DESC_TRANSB, right.isTransposed ? CUBLAS_OP_T : CUBLAS_OP_N);
        if (m_hasBias) {
            set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
            set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, anyBias); // the heuristics look at its alignment
        }
        int found = 0;
        QUADRIC_CHECKED(cublasLtMatmulAlgoGetHeuristic(handle, m_description.get(), m_left.get(),
                                                       m_right.get(), m_result.get(), m_result.get(),
                                                       newPreference().get(), 1, &m_algorithm, &found));
        if (found == 0)
            throw Failure(kInternal, "cuBLASLt has no algorithm for the dense layer");
    }

    void multiply(const void* left, const void* right, const float* bias, void* result,
                  const DeviceMemory& workspace, cudaStream_t stream) const
    {
        const float one = 1.0F;
        const float zero = 0.0F;
        if (m_hasBias)
            set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
        QUADRIC_CHECKED(cublasLtMatmul(m_handle, m_description.get(), &one, left, m_left.get(), right,
                                       m_right.get(), &zero, result, m_result.get(), result, m_result.get(),
                                       &m_algorithm.algo, workspace.data(), workspace.bytes(), stream));
    }

private:
    template <typename Value> void set(cublasLtMatmulDescAttributes_t name, const Value& value) const
    {
        QUADRIC_CHECKED(cublasLtMatmulDescSetAttribute(m_description.get(), name, &value, sizeof(value)));
    }

    cublasLtHandle_t m_handle;
    bool m_hasBias;
    Description m_description;
    Layout m_left;
    Layout m_right;
    Layout m_result;
    cublasLtMatmulHeuristicResult_t m_algorithm{};
};

/// In the library's order maps are values × batch and weights inputs × outputs.
struct Dense::Products {
    explicit Products(const DenseShape& s)
        : handle(newHandle())
        , workspace(kDenseWorkspace)
        , forward(handle.get(), s.precision, CUDA_R_32F, {s.inputs, s.outputs, true},
                  {s.inputs, s.batch, false}, workspace.data())
        , toInput(handle.get(), s.precision, typeOf(s.precision), {s.inputs, s.outputs, false},
                  {s.outputs, s.batch, false}, nullptr)
        , toWeight(handle.get(), s.precision, typeOf(s.precision), {s.inputs, s.batch, false},
                   {s.outputs, s.batch, true}, nullptr)
    {
    }
    LtHandle handle;
    DeviceMemory workspace;
    Product forward;
    Product toInput;
    Product toWeight;
};

Dense::Dense(const DenseShape& shape)
    : m_products(std::make_unique<Products>(shape))
{
}

Dense::~Dense() = default;

void Dense::forward(const void* x, const void* weight, const float* bias, float* logits,
                    cudaStream_t stream) const
{
    m_products->forward.multiply(weight, x, bias, logits, m_products->workspace, stream);
}

void Dense::inputGradient(const void* gradient, const void* weight, void* xGradient,
                          cudaStream_t stream) const
{
    m_products->toInput.multiply(weight, gradient, nullptr, xGradient, m_products->workspace, stream);
}

void Dense::weightGradient(const void* gradient, const void* x, void* weightGradient,
                           cudaStream_t stream) const
{
    m_products->toWeight.multiply(x, gradient, nullptr, weightGradient, m_products->workspace, stream);
}

} // namespace quadric::trainer::cuda
