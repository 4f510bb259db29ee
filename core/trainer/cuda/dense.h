// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/number_format.h"
#include "core/trainer/cuda/stream.h"

#include <cublasLt.h>
#include <cuda_runtime_api.h>

#include <memory>

namespace quadric::trainer::cuda {

struct DenseShape {
    Precision precision = Precision::Fp32;
    int batch = 1;
    int inputs = 1;
    int outputs = 1;
};

/// The three matrix products of a dense layer with cuBLASLt. Maps are batch × values, weights outputs ×
/// inputs.
class Dense {
public:
    explicit Dense(const DenseShape& shape);
    ~Dense();
    Dense(const Dense&) = delete;
    Dense& operator=(const Dense&) = delete;

    /// logits (fp32) = x · weightᵀ + bias (fp32).
    void forward(const void* x, const void* weight, const float* bias, float* logits,
                 cudaStream_t stream) const;
    /// xGradient = gradient · weight.
    void inputGradient(const void* gradient, const void* weight, void* xGradient, cudaStream_t stream) const;
    /// weightGradient = gradientᵀ · x.
    void weightGradient(const void* gradient, const void* x, void* weightGradient, cudaStream_t stream) const;

private:
    class Product;
    struct Products;
    std::unique_ptr<Products> m_products;
};

} // namespace quadric::trainer::cuda
