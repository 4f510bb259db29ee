// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/dnnl_layers.h"

#include <stdexcept>

namespace quadric::trainer {

using dnnl::memory;
using dnnl::prop_kind;

namespace {

constexpr float kBatchNormEpsilon = 1e-5F;

memory::desc anyLayout(const memory::desc& desc)
{
    return {desc.dims(), memory::data_type::f32, memory::format_tag::any};
}

memory::desc plainVector(memory::dim size)
{
    return {{size}, memory::data_type::f32, memory::format_tag::x};
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

/// The three tensors of a convolution: activations in, weights, activations out.
struct ConvolutionLayouts {
    memory::desc source, weights, destination;
};

class ConvolutionLayer : public DnnlLayer {
public:
    ConvolutionLayer(const Layer& layer, int index)
        : m_layer(layer)
        , m_index(index)
        , m_stride{layer.stride, layer.stride}
        , m_padding{layer.padding, layer.padding}
    {
    }

    void addForward(DnnlBuilder& builder) override;
    void addBackward(DnnlBuilder& builder) override;

private:
    using Forward = dnnl::convolution_forward;
    using BackwardWeights = dnnl::convolution_backward_weights;
    using BackwardData = dnnl::convolution_backward_data;

    void addBackwardWeights(DnnlBuilder& builder, const memory& outputGradient);
    void addBackwardData(DnnlBuilder& builder, const memory& outputGradient);

    Layer m_layer;
    int m_index;
    memory::dims m_stride, m_padding;
    Forward::primitive_desc m_forward;
    memory m_source, m_weights, m_weightGradient;
};

void ConvolutionLayer::addForward(DnnlBuilder& builder)
{
    const memory source = builder.activation(m_layer.input);
    const memory::desc output = builder.blocked(builder.shapeOf(m_index));
    const memory::desc plain(
        {m_layer.channels, builder.shapeOf(m_layer.input).channels, m_layer.kernel, m_layer.kernel},
        memory::data_type::f32, memory::format_tag::oihw);
    const auto make = [&](const ConvolutionLayouts& l) {
        return Forward::primitive_desc({prop_kind::forward_training, dnnl::algorithm::convolution_direct,
                                        l.source, l.weights, l.destination, m_stride, m_padding, m_padding},
                                       builder.engine(), true);
    };
    const memory::desc any = anyLayout(plain);
    m_forward = firstFast<Forward::primitive_desc>(
        make, ConvolutionLayouts{source.get_desc(), any, output},
        ConvolutionLayouts{anyLayout(source.get_desc()), any, anyLayout(output)});
    builder.check(m_layer.name, m_forward.impl_info_str());

    const DnnlParameter& weights = builder.addParameter(m_forward.weights_desc(), plain);
    m_weights = weights.value;
    m_weightGradient = weights.gradient;
    m_source = builder.forwardIn(m_forward.src_desc(), source);
    const memory destination = builder.newMemory(m_forward.dst_desc());
    builder.forward(Forward(m_forward),
                    {{DNNL_ARG_SRC, m_source}, {DNNL_ARG_WEIGHTS, m_weights}, {DNNL_ARG_DST, destination}});
    builder.setActivation(m_index, builder.forwardIn(output, destination));
}

void ConvolutionLayer::addBackward(DnnlBuilder& builder)
{
    const GradientBuffer outputGradient = builder.takeGradient(m_index);
    addBackwardWeights(builder, outputGradient.memory);
    if (m_layer.input != kImages)
        addBackwardData(builder, outputGradient.memory);
}

void ConvolutionLayer::addBackwardWeights(DnnlBuilder& builder, const memory& outputGradient)
{
    const memory::desc source = m_source.get_desc();
    const memory::desc weights = m_weights.get_desc();
    const memory::desc output = outputGradient.get_desc();
    const auto make = [&](const ConvolutionLayouts& l) {
        return BackwardWeights::primitive_desc({dnnl::algorithm::convolution_direct, l.source, l.weights,
                                                l.destination, m_stride, m_padding, m_padding},
                                               builder.engine(), m_forward, true);
    };
    const auto chosen = firstFast<BackwardWeights::primitive_desc>(
        make, ConvolutionLayouts{source, weights, output},
        ConvolutionLayouts{source, anyLayout(weights), output},
        ConvolutionLayouts{anyLayout(source), anyLayout(weights), anyLayout(output)});
    builder.check(m_layer.name + " (weights backward)", chosen.impl_info_str());

    const bool direct = chosen.diff_weights_desc() == weights;
    const memory gradient = direct ? m_weightGradient : builder.newMemory(chosen.diff_weights_desc());
    builder.backward(BackwardWeights(chosen),
                     {{DNNL_ARG_SRC, builder.backwardIn(chosen.src_desc(), m_source)},
                      {DNNL_ARG_DIFF_DST, builder.backwardIn(chosen.diff_dst_desc(), outputGradient)},
                      {DNNL_ARG_DIFF_WEIGHTS, gradient}});
    if (!direct)
        builder.backwardReorder(gradient, m_weightGradient);
}

void ConvolutionLayer::addBackwardData(DnnlBuilder& builder, const memory& outputGradient)
{
    const memory::desc input = builder.activation(m_layer.input).get_desc();
    const memory::desc any = anyLayout(m_weights.get_desc());
    const memory::desc output = outputGradient.get_desc();
    const auto make = [&](const ConvolutionLayouts& l) {
        return BackwardData::primitive_desc({dnnl::algorithm::convolution_direct, l.source, l.weights,
                                             l.destination, m_stride, m_padding, m_padding},
                                            builder.engine(), m_forward, true);
    };
    const auto chosen =
        firstFast<BackwardData::primitive_desc>(make, ConvolutionLayouts{input, any, output},
                                                ConvolutionLayouts{anyLayout(input), any, anyLayout(output)});
    builder.check(m_layer.name + " (data backward)", chosen.impl_info_str());

    GradientBuffer inputGradient = builder.newGradient(chosen.diff_src_desc());
    builder.backward(BackwardData(chosen),
                     {{DNNL_ARG_WEIGHTS, builder.backwardIn(chosen.weights_desc(), m_weights)},
                      {DNNL_ARG_DIFF_DST, builder.backwardIn(chosen.diff_dst_desc(), outputGradient)},
                      {DNNL_ARG_DIFF_SRC, inputGradient.memory}});
    if (chosen.diff_src_desc() != input) {
        GradientBuffer reordered = builder.newGradient(input);
        builder.backwardReorder(inputGradient.memory, reordered.memory);
        inputGradient = std::move(reordered);
    }
    builder.giveGradient(m_layer.input, std::move(inputGradient));
}

class BatchNormLayer : public DnnlLayer {
public:
    BatchNormLayer(const Layer& layer, int index)
        : m_layer(layer)
        , m_index(index)
    {
    }

    void addForward(DnnlBuilder& builder) override;
    void addBackward(DnnlBuilder& builder) override;

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

void BatchNormLayer::addForward(DnnlBuilder& builder)
{
    const memory source = builder.activation(m_layer.input);
    m_forward = {{prop_kind::forward_training, source.get_desc(), kBatchNormEpsilon, flags()},
                 builder.engine()};
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

void BatchNormLayer::addBackward(DnnlBuilder& builder)
{
    const GradientBuffer outputGradient = builder.takeGradient(m_index);
    const memory::desc desc = outputGradient.memory.get_desc();
    const Backward::primitive_desc backward(
        {prop_kind::backward, desc, m_kept.at(DNNL_ARG_SRC).get_desc(), kBatchNormEpsilon, flags()},
        builder.engine(), m_forward);
    builder.check(m_layer.name + " (backward)", backward.impl_info_str());

    GradientBuffer inputGradient = outputGradient.isShared() ? builder.newGradient(desc) : outputGradient;
    DnnlBuilder::Arguments arguments = m_kept;
    arguments[DNNL_ARG_DIFF_DST] = outputGradient.memory;
    arguments[DNNL_ARG_DIFF_SRC] = inputGradient.memory;
    arguments[DNNL_ARG_DIFF_SCALE] = m_scaleGradient;
    arguments[DNNL_ARG_DIFF_SHIFT] = m_shiftGradient;
    builder.backward(Backward(backward), std::move(arguments));
    builder.giveGradient(m_layer.input, std::move(inputGradient));
}

/// Sum of two feature maps, followed by ReLU where asked for.
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
        dnnl::primitive_attr attributes;
        if (m_layer.relu) {
            dnnl::post_ops relu;
            relu.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
            attributes.set_post_ops(relu);
        }
        const dnnl::binary::primitive_desc add({dnnl::algorithm::binary_add, desc, desc, desc}, attributes,
                                               builder.engine());
        builder.check(m_layer.name, add.impl_info_str());
        m_output = builder.newMemory(desc);
        builder.setActivation(m_index, m_output);
        builder.forward(dnnl::binary(add), {{DNNL_ARG_SRC_0, builder.activation(m_layer.input)},
                                            {DNNL_ARG_SRC_1, builder.activation(m_layer.shortcut)},
                                            {DNNL_ARG_DST, m_output}});
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
        constexpr auto kRelu = dnnl::algorithm::eltwise_relu_use_dst_for_bwd;
        const memory::desc desc = m_output.get_desc();
        const dnnl::eltwise_forward::primitive_desc hint(
            {prop_kind::forward_training, kRelu, desc, 0.0F, 0.0F}, builder.engine());
        const dnnl::eltwise_backward::primitive_desc relu({kRelu, desc, desc, 0.0F, 0.0F}, builder.engine(),
                                                          hint);
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

/// Fully connected layer with bias; its output is plain rows of classes.
class DenseLayer : public DnnlLayer {
public:
    DenseLayer(const Layer& layer, int index)
        : m_layer(layer)
        , m_index(index)
    {
    }

    void addForward(DnnlBuilder& builder) override;
    void addBackward(DnnlBuilder& builder) override;

private:
    using Forward = dnnl::inner_product_forward;
    using BackwardWeights = dnnl::inner_product_backward_weights;
    using BackwardData = dnnl::inner_product_backward_data;

    void addBackwardWeights(DnnlBuilder& builder, const memory& outputGradient);
    void addBackwardData(DnnlBuilder& builder, const memory& outputGradient);

    Layer m_layer;
    int m_index;
    Forward::primitive_desc m_forward;
    memory m_source, m_weights, m_weightGradient, m_biasGradient;
};

void DenseLayer::addForward(DnnlBuilder& builder)
{
    const Shape in = builder.shapeOf(m_layer.input);
    const memory source = builder.activation(m_layer.input);
    const memory::desc plain({m_layer.channels, in.channels, in.height, in.width}, memory::data_type::f32,
                             memory::format_tag::oihw);
    const memory::desc bias = plainVector(m_layer.channels);
    const memory::desc output({builder.batch(), m_layer.channels}, memory::data_type::f32,
                              memory::format_tag::nc);
    m_forward = {{prop_kind::forward_training, anyLayout(source.get_desc()), anyLayout(plain), bias, output},
                 builder.engine()};
    builder.check(m_layer.name, m_forward.impl_info_str());

    const DnnlParameter weights = builder.addParameter(m_forward.weights_desc(), plain);
    const DnnlParameter offsets = builder.addParameter(bias, bias);
    m_weights = weights.value;
    m_weightGradient = weights.gradient;
    m_biasGradient = offsets.gradient;
    m_source = builder.forwardIn(m_forward.src_desc(), source);
    const memory logits = builder.newMemory(output);
    builder.setActivation(m_index, logits);
    builder.forward(Forward(m_forward), {{DNNL_ARG_SRC, m_source},
                                         {DNNL_ARG_WEIGHTS, m_weights},
                                         {DNNL_ARG_BIAS, offsets.value},
                                         {DNNL_ARG_DST, logits}});
}

void DenseLayer::addBackward(DnnlBuilder& builder)
{
    const GradientBuffer outputGradient = builder.takeGradient(m_index);
    addBackwardWeights(builder, outputGradient.memory);
    if (m_layer.input != kImages)
        addBackwardData(builder, outputGradient.memory);
}

void DenseLayer::addBackwardWeights(DnnlBuilder& builder, const memory& outputGradient)
{
    const BackwardWeights::primitive_desc chosen({anyLayout(m_source.get_desc()), m_weights.get_desc(),
                                                  m_biasGradient.get_desc(), outputGradient.get_desc()},
                                                 builder.engine(), m_forward);
    builder.check(m_layer.name + " (weights backward)", chosen.impl_info_str());
    builder.backward(BackwardWeights(chosen),
                     {{DNNL_ARG_SRC, builder.backwardIn(chosen.src_desc(), m_source)},
                      {DNNL_ARG_DIFF_DST, outputGradient},
                      {DNNL_ARG_DIFF_WEIGHTS, m_weightGradient},
                      {DNNL_ARG_DIFF_BIAS, m_biasGradient}});
}

void DenseLayer::addBackwardData(DnnlBuilder& builder, const memory& outputGradient)
{
    const memory::desc input = builder.activation(m_layer.input).get_desc();
    const BackwardData::primitive_desc chosen(
        {anyLayout(input), anyLayout(m_weights.get_desc()), outputGradient.get_desc()}, builder.engine(),
        m_forward);
    builder.check(m_layer.name + " (data backward)", chosen.impl_info_str());
    GradientBuffer inputGradient = builder.newGradient(chosen.diff_src_desc());
    builder.backward(BackwardData(chosen),
                     {{DNNL_ARG_WEIGHTS, builder.backwardIn(chosen.weights_desc(), m_weights)},
                      {DNNL_ARG_DIFF_DST, outputGradient},
                      {DNNL_ARG_DIFF_SRC, inputGradient.memory}});
    if (chosen.diff_src_desc() != input) {
        GradientBuffer reordered = builder.newGradient(input);
        builder.backwardReorder(inputGradient.memory, reordered.memory);
        inputGradient = std::move(reordered);
    }
    builder.giveGradient(m_layer.input, std::move(inputGradient));
}

} // namespace

std::unique_ptr<DnnlLayer> makeDnnlLayer(const Layer& layer, int index)
{
    switch (layer.kind) {
    case LayerKind::Convolution:
        return std::make_unique<ConvolutionLayer>(layer, index);
    case LayerKind::BatchNorm:
        return std::make_unique<BatchNormLayer>(layer, index);
    case LayerKind::Add:
        return std::make_unique<AddLayer>(layer, index);
    case LayerKind::MaxPool:
    case LayerKind::AveragePool:
        return std::make_unique<PoolLayer>(layer, index);
    case LayerKind::Dense:
        return std::make_unique<DenseLayer>(layer, index);
    }
    throw std::invalid_argument("layer " + layer.name + ": unknown kind");
}

} // namespace quadric::trainer
