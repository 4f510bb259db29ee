// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cpu/dnnl_layer_kinds.h"

namespace quadric::trainer {

using dnnl::memory;

namespace {

/// Sum of two feature maps, followed by ReLU where asked for. The backward pass needs neither summand, so
/// that one is overwritten and the memory of the other is given back where nobody else reads them.
class AddLayer : public DnnlLayer {
public:
    AddLayer(const Layer& layer, int index)
        : m_layer(layer)
        , m_index(index)
    {
    }

    void addForward(DnnlBuilder& builder) override
    {
        const memory::desc desc = builder.activation(m_layer.input).get_desc();
        const auto add = onednn::sum(builder.engine(), desc, m_layer.relu);
        builder.check(m_layer.name, add.impl_info_str());
        const bool isInPlace = builder.isReadOnlyOnce(m_layer.input);
        m_output = isInPlace ? builder.activation(m_layer.input) : builder.newMemory(desc);
        builder.setActivation(m_index, m_output);
        builder.forward(dnnl::binary(add), {{DNNL_ARG_SRC_0, builder.activation(m_layer.input)},
                                            {DNNL_ARG_SRC_1, builder.activation(m_layer.shortcut)},
                                            {DNNL_ARG_DST, m_output}});
        if (builder.isReadOnlyOnce(m_layer.shortcut))
            builder.releaseOutput(m_layer.shortcut);
    }

    void addBackward(DnnlBuilder& builder) override
    {
        GradientBuffer gradient = builder.takeGradient(m_index);
        if (m_layer.relu)
            gradient = maskNegatives(builder, gradient);
        builder.giveGradient(m_layer.input, gradient);
        builder.giveGradient(m_layer.shortcut, std::move(gradient));
    }

private:
    GradientBuffer maskNegatives(DnnlBuilder& builder, const GradientBuffer& gradient) const
    {
        const memory::desc desc = m_output.get_desc();
        const auto relu = onednn::reluBackward(builder.engine(), desc);
        builder.check(m_layer.name + " (backward)", relu.impl_info_str());
        GradientBuffer masked = gradient.isShared() ? builder.newGradient(desc) : gradient;
        builder.backward(dnnl::eltwise_backward(relu), {{DNNL_ARG_DST, m_output},
                                                        {DNNL_ARG_DIFF_DST, gradient.memory},
                                                        {DNNL_ARG_DIFF_SRC, masked.memory}});
        return masked;
    }

    Layer m_layer;
    int m_index;
    memory m_output;
};

} // namespace

std::unique_ptr<DnnlLayer> makeAddLayer(const Layer& layer, int index)
{
    return std::make_unique<AddLayer>(layer, index);
}

} // namespace quadric::trainer
