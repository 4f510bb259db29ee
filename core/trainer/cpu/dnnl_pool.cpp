// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cpu/dnnl_layer_kinds.h"

namespace quadric::trainer {

using dnnl::memory;

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
        const memory::dims kernel =
            isMaximum ? memory::dims{m_layer.kernel, m_layer.kernel} : memory::dims{in.height, in.width};
        m_window = {kernel,
                    isMaximum ? memory::dims{m_layer.stride, m_layer.stride} : kernel,
                    memory::dims{m_layer.padding, m_layer.padding},
                    {}};
        m_window.paddingEnd = endPadding(in, builder.shapeOf(m_index));

        const memory source = builder.activation(m_layer.input);
        const memory output = builder.newMemory(builder.blocked(builder.shapeOf(m_index)));
        m_forward = onednn::poolingForward(builder.engine(), m_algorithm, source.get_desc(),
                                           output.get_desc(), m_window);
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
        const auto backward = onednn::poolingBackward(builder.engine(), m_algorithm, input,
                                                      outputGradient.memory.get_desc(), m_window, m_forward);
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
        const auto rest = [this](std::size_t side, int from, int to) {
            return (to - 1) * m_window.stride[side] + m_window.kernel[side] - from -
                   m_window.paddingBegin[side];
        };
        return {rest(0, in.height, out.height), rest(1, in.width, out.width)};
    }

    Layer m_layer;
    int m_index;
    dnnl::algorithm m_algorithm = dnnl::algorithm::undef;
    onednn::Window m_window;
    dnnl::pooling_forward::primitive_desc m_forward;
    memory m_workspace;
};

} // namespace

std::unique_ptr<DnnlLayer> makePoolLayer(const Layer& layer, int index)
{
    return std::make_unique<PoolLayer>(layer, index);
}

} // namespace quadric::trainer
