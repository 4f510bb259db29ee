// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <oneapi/dnnl/dnnl.hpp>

#include <cstdint>
#include <string>
#include <vector>

/// The only place that knows in what oneDNN's versions 2 and 3 differ: how primitives and layouts are
/// described.
namespace quadric::trainer::onednn {

using dnnl::memory;

/// The three tensors of a convolution or a dense layer: activations in, weights, activations out. Backward
/// the gradient of one of them takes its place.
struct Layouts {
    memory::desc source, weights, destination;
};

/// How a window moves over a feature map.
struct Window {
    memory::dims kernel, stride, paddingBegin, paddingEnd;
};

// Descriptions of primitives for training. Those of convolutions, and of a dense layer's weight gradients,
// are empty where oneDNN has no implementation for these layouts; the others throw dnnl::error.

dnnl::convolution_forward::primitive_desc convolutionForward(const dnnl::engine& engine,
                                                             const Layouts& layouts, const Window& window);
dnnl::convolution_backward_weights::primitive_desc
convolutionBackwardWeights(const dnnl::engine& engine, const Layouts& layouts, const Window& window,
                           const dnnl::convolution_forward::primitive_desc& forward);
dnnl::convolution_backward_data::primitive_desc
convolutionBackwardData(const dnnl::engine& engine, const Layouts& layouts, const Window& window,
                        const dnnl::convolution_forward::primitive_desc& forward);

dnnl::inner_product_forward::primitive_desc denseForward(const dnnl::engine& engine, const Layouts& layouts,
                                                         const memory::desc& bias);
dnnl::inner_product_backward_weights::primitive_desc
denseBackwardWeights(const dnnl::engine& engine, const Layouts& layouts, const memory::desc& bias,
                     const dnnl::inner_product_forward::primitive_desc& forward);
dnnl::inner_product_backward_data::primitive_desc
denseBackwardData(const dnnl::engine& engine, const Layouts& layouts,
                  const dnnl::inner_product_forward::primitive_desc& forward);

dnnl::batch_normalization_forward::primitive_desc batchNormForward(const dnnl::engine& engine,
                                                                   const memory::desc& map, float epsilon,
                                                                   dnnl::normalization_flags flags);
dnnl::batch_normalization_backward::primitive_desc
batchNormBackward(const dnnl::engine& engine, const memory::desc& gradient, const memory::desc& map,
                  float epsilon, dnnl::normalization_flags flags,
                  const dnnl::batch_normalization_forward::primitive_desc& forward);

/// Whether the shift is an argument of that backward pass, too.
inline constexpr bool kBatchNormBackwardReadsShift = DNNL_VERSION_MAJOR < 3;

dnnl::pooling_forward::primitive_desc poolingForward(const dnnl::engine& engine, dnnl::algorithm algorithm,
                                                     const memory::desc& source,
                                                     const memory::desc& destination, const Window& window);
dnnl::pooling_backward::primitive_desc poolingBackward(const dnnl::engine& engine, dnnl::algorithm algorithm,
                                                       const memory::desc& source,
                                                       const memory::desc& destination, const Window& window,
                                                       const dnnl::pooling_forward::primitive_desc& forward);

/// Sum of two tensors of one layout, followed by ReLU where asked for.
dnnl::binary::primitive_desc sum(const dnnl::engine& engine, const memory::desc& desc, bool relu = false);

/// Gradient of ReLU from what ReLU gave.
dnnl::eltwise_backward::primitive_desc reluBackward(const dnnl::engine& engine, const memory::desc& desc);

memory::dims dimensions(const memory::desc& desc);
memory::data_type dataType(const memory::desc& desc);
/// Whether a blocked layout holds more channels than the tensor has.
bool isPadded(const memory::desc& desc);
/// Numbers that are equal for two layouts when the same element lies in the same place: padded dimension and
/// stride of each dimension, then dimension and size of each inner block.
std::vector<std::int64_t> layoutNumbers(const memory::desc& desc);

/// Channels that oneDNN's fast code for this processor keeps together: 16 with AVX-512, otherwise 8.
int channelBlock();
/// Whether this processor has instructions for bfloat16 that oneDNN may use.
bool computesBf16();
/// Version, for example "2.6.3".
std::string version();
/// The instruction set that is used here, for example "AVX-512"; "other" where oneDNN names none.
std::string instructionSet();

} // namespace quadric::trainer::onednn
