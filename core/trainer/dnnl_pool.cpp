// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/dnnl_layer_kinds.h"

namespace quadric::trainer {

using dnnl::memory;
using dnnl::prop_kind;

namespace {

/// Maximum over a window, or mean over the whole map.
class PoolLayer : public DnnlLayer {
public:
    PoolLayer(const Layer& layer, int index)
        : m_layer(layer)
        , m_index(index)
    {
    }

    void addForward(DnnlBuilder& builder) override
    {
        const bool isMaximum = m_layer.kind == LayerKind::MaxPool;
        const Shape in = builder.shapeOf(m_layer.input);
        m_algorithm = isMaximum ? dnnl::algorithm::pooling_max : dnnl::algorithm::pooling_avg_exclude_padding;
        m_kernel =
            isMaximum ? memory::dims{m_layer.kernel, m_layer.kernel} : memory::dims{in.height, in.width};
        m_stride = isMaximum ? memory::dims{m_layer.stride, m_layer.stride} : m_kernel;
        m_padding = {m_layer.padding, m_layer.padding};

        const memory source = builder.activation(m_layer.input);
        const memory output = builder.newMemory(builder.blocked(builder.shapeOf(m_index)));
        m_forward = {{prop_kind::forward_training, m_algorithm, source.get_desc(), output.get_desc(),
                      m_stride, m_kernel, m_padding, endPadding(in, builder.shapeOf(m_index))},
                     builder.engine()};
        builder.check(m_layer.name, m_forward.impl_info_str());
        DnnlBuilder::Arguments arguments{{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, output}};
        if (isMaximum)
            arguments[DNNL_ARG_WORKSPACE] = m_workspace = builder.newMemory(m_forward.workspace_desc());
        builder.setActivation(m_index, output);
        builder.forward(dnnl::pooling_forward(m_forward), std::move(arguments));
    }

    void addBackward(DnnlBuilder& builder) override
    {
        const GradientBuffer outputGradient = builder.takeGradient(m_index);
        const memory::desc input = builder.activation(m_layer.input).get_desc();
        const dnnl::pooling_backward::primitive_desc backward(
            {m_algorithm, input, outputGradient.memory.get_desc(), m_stride, m_kernel, m_padding,
             endPadding(builder.shapeOf(m_layer.input), builder.shapeOf(m_index))},
            builder.engine(), m_forward);
        builder.check(m_layer.name + " (backward)", backward.impl_info_str());
        GradientBuffer inputGradient = builder.newGradient(input);
        DnnlBuilder::Arguments arguments{{DNNL_ARG_DIFF_DST, outputGradient.memory},
                                         {DNNL_ARG_DIFF_SRC, inputGradient.memory}};
        if (m_workspace)
            arguments[DNNL_ARG_WORKSPACE] = m_workspace;
        builder.backward(dnnl::pooling_backward(backward), std::move(arguments));
        builder.giveGradient(m_layer.input, std::move(inputGradient));
    }

private:
    /// oneDNN wants padding that fits exactly; the last row may need less than the first.
    memory::dims endPadding(const Shape& in, const Shape& out) const
    {
        return {(out.height - 1) * m_stride[0] + m_kernel[0] - in.height - m_padding[0],
                (out.width - 1) * m_stride[1] + m_kernel[1] - in.width - m_padding[1]};
    }

    Layer m_layer;
    int m_index;
    dnnl::algorithm m_algorithm = dnnl::algorithm::undef;
    memory::dims m_kernel, m_stride, m_padding;
    dnnl::pooling_forward::primitive_desc m_forward;
    memory m_workspace;
};

} // namespace

std::unique_ptr<DnnlLayer> makePoolLayer(const Layer& layer, int index)
{
    return std::make_unique<PoolLayer>(layer, index);
}

} // namespace quadric::trainer
