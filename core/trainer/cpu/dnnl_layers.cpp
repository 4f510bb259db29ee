// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cpu/dnnl_layers.h"

#include <stdexcept>

namespace quadric::trainer {

using dnnl::memory;

namespace {

constexpr float kBatchNormEpsilon = 1e-5F;

class BatchNormLayer : public DnnlLayer {
public:
    BatchNormLayer(const Layer& layer, int index)
        : m_layer(layer)
        , m_index(index)
    {
    }

    void addForward(DnnlBuilder& builder) override
    {
        const memory source = builder.activation(m_layer.input);
        m_forward = onednn::batchNormForward(builder.engine(), source.get_desc(), kBatchNormEpsilon, flags());
        builder.check(m_layer.name, m_forward.impl_info_str());

        const memory::desc perChannel = plainVector(builder.shapeOf(m_index).channels);
        const DnnlParameter scale = builder.addParameter(perChannel, perChannel);
        const DnnlParameter shift = builder.addParameter(perChannel, perChannel);
        m_scaleGradient = scale.gradient;
        m_shiftGradient = shift.gradient;
        m_kept = {{DNNL_ARG_SRC, source},
                  {DNNL_ARG_SCALE, scale.value},
                  {DNNL_ARG_SHIFT, shift.value},
                  {DNNL_ARG_MEAN, builder.newMemory(m_forward.mean_desc())},
                  {DNNL_ARG_VARIANCE, builder.newMemory(m_forward.variance_desc())}};
        if (m_layer.relu)
            m_kept[DNNL_ARG_WORKSPACE] = builder.newMemory(m_forward.workspace_desc());

        DnnlBuilder::Arguments arguments = m_kept;
        arguments[DNNL_ARG_DST] = builder.newMemory(m_forward.dst_desc());
        builder.setActivation(m_index, arguments[DNNL_ARG_DST]);
        builder.forward(Forward(m_forward), std::move(arguments));
    }

    void addBackward(DnnlBuilder& builder) override
    {
        const GradientBuffer outputGradient = builder.takeGradient(m_index);
        const memory::desc desc = outputGradient.memory.get_desc();
        const auto backward =
            onednn::batchNormBackward(builder.engine(), desc, m_kept.at(DNNL_ARG_SRC).get_desc(),
                                      kBatchNormEpsilon, flags(), m_forward);
        builder.check(m_layer.name + " (backward)", backward.impl_info_str());

        GradientBuffer inputGradient = outputGradient.isShared() ? builder.newGradient(desc) : outputGradient;
        DnnlBuilder::Arguments arguments = m_kept;
        if (!onednn::kBatchNormBackwardReadsShift)
            arguments.erase(DNNL_ARG_SHIFT);
        arguments[DNNL_ARG_DIFF_DST] = outputGradient.memory;
        arguments[DNNL_ARG_DIFF_SRC] = inputGradient.memory;
        arguments[DNNL_ARG_DIFF_SCALE] = m_scaleGradient;
        arguments[DNNL_ARG_DIFF_SHIFT] = m_shiftGradient;
        builder.backward(Backward(backward), std::move(arguments));
        builder.giveGradient(m_layer.input, std::move(inputGradient));
    }

private:
    using Forward = dnnl::batch_normalization_forward;
    using Backward = dnnl::batch_normalization_backward;

    dnnl::normalization_flags flags() const
    {
        using Flags = dnnl::normalization_flags;
        const Flags affine = Flags::use_scale | Flags::use_shift;
        return m_layer.relu ? affine | Flags::fuse_norm_relu : affine;
    }

    Layer m_layer;
    int m_index;
    Forward::primitive_desc m_forward;
    DnnlBuilder::Arguments m_kept; ///< what the backward pass reads again
    memory m_scaleGradient, m_shiftGradient;
};

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

std::unique_ptr<DnnlLayer> makeAddLayer(const Layer& layer, int index)
{
    return std::make_unique<AddLayer>(layer, index);
}

std::unique_ptr<DnnlLayer> makeBatchNormLayer(const Layer& layer, int index)
{
    return std::make_unique<BatchNormLayer>(layer, index);
}

std::unique_ptr<DnnlLayer> makePoolLayer(const Layer& layer, int index)
{
    return std::make_unique<PoolLayer>(layer, index);
}

} // namespace

std::unique_ptr<DnnlLayer> makeDnnlLayer(const Layer& layer, int index)
{
    switch (layer.kind) {
    case LayerKind::Convolution:
        return makeConvolutionLayer(layer, index);
    case LayerKind::BatchNorm:
        return makeBatchNormLayer(layer, index);
    case LayerKind::Add:
        return makeAddLayer(layer, index);
    case LayerKind::MaxPool:
    case LayerKind::AveragePool:
        return makePoolLayer(layer, index);
    case LayerKind::Dense:
        return makeDenseLayer(layer, index);
    }
    throw std::invalid_argument("layer " + layer.name + ": unknown kind");
}

} // namespace quadric::trainer
