// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/cpu/dnnl_plan.h"

#include <memory>

namespace quadric::trainer {

/// One layer while a plan is built: first the forward primitives of all layers, then the backward ones in
/// reverse. All primitives of oneDNN that the network needs are made behind this interface.
class DnnlLayer {
public:
    virtual ~DnnlLayer() = default;
    virtual void addForward(DnnlBuilder& builder) = 0;
    virtual void addBackward(DnnlBuilder& builder) = 0;
};

std::unique_ptr<DnnlLayer> makeDnnlLayer(const Layer& layer, int index);

/// Of the kinds that multiply (dnnl_products.cpp).
std::unique_ptr<DnnlLayer> makeConvolutionLayer(const Layer& layer, int index);
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
