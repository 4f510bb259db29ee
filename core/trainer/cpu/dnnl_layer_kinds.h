// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/cpu/dnnl_layers.h"

namespace quadric::trainer {

/// One function per kind of layer, each in a file of its own.
std::unique_ptr<DnnlLayer> makeConvolutionLayer(const Layer& layer, int index);
std::unique_ptr<DnnlLayer> makeBatchNormLayer(const Layer& layer, int index);
std::unique_ptr<DnnlLayer> makeAddLayer(const Layer& layer, int index);
std::unique_ptr<DnnlLayer> makePoolLayer(const Layer& layer, int index);
std::unique_ptr<DnnlLayer> makeDenseLayer(const Layer& layer, int index);

/// The same tensor in a layout that oneDNN may choose.
inline dnnl::memory::desc anyLayout(const dnnl::memory::desc& desc, dnnl::memory::data_type type)
{
    return {onednn::dimensions(desc), type, dnnl::memory::format_tag::any};
}

inline dnnl::memory::desc plainVector(dnnl::memory::dim size)
{
    return {{size}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::x};
}

/// The first description that leads to fast code, otherwise the first that works at all.
template <typename PrimitiveDesc, typename Make, typename... Candidate>
PrimitiveDesc firstFast(const Make& make, const Candidate&... candidates)
{
    PrimitiveDesc chosen;
    const auto consider = [&](const PrimitiveDesc& next) {
        if (next && (!chosen || (isReferenceImplementation(chosen.impl_info_str()) &&
                                 !isReferenceImplementation(next.impl_info_str()))))
            chosen = next;
    };
    (consider(make(candidates)), ...);
    if (!chosen)
        throw dnnl::error(dnnl_unimplemented, "no implementation for this layer");
    return chosen;
}

} // namespace quadric::trainer
