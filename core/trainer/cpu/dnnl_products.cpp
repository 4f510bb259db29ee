// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cpu/dnnl_layers.h"

namespace quadric::trainer {

using dnnl::memory;
using onednn::Layouts;

namespace {

class ConvolutionLayer : public DnnlLayer {
public:
    ConvolutionLayer(const Layer& layer, int index)
        : m_layer(layer)
        , m_index(index)
        , m_window{{layer.kernel, layer.kernel},
                   {layer.stride, layer.stride},
                   {layer.padding, layer.padding},
                   {layer.padding, layer.padding}}
    {
    }

    void addForward(DnnlBuilder& builder) override
    {
        const memory source = builder.activation(m_layer.input);
        const memory::desc output = builder.blocked(builder.shapeOf(m_index));
        const memory::desc plain(
            {m_layer.channels, builder.shapeOf(m_layer.input).channels, m_layer.kernel, m_layer.kernel},
            memory::data_type::f32, memory::format_tag::oihw);
        const auto make = [&](const Layouts& l) {
            return onednn::convolutionForward(builder.engine(), l, m_window);
        };
        const auto number = builder.number();
        const memory::desc any = anyLayout(plain, number);
        m_forward = firstFast<Forward::primitive_desc>(
            make, Layouts{source.get_desc(), any, output},
            Layouts{anyLayout(source.get_desc(), number), any, anyLayout(output, number)});
        builder.check(m_layer.name, m_forward.impl_info_str());

        const DnnlParameter weights = builder.addParameter(m_forward.weights_desc(), plain);
        m_weights = builder.forwardIn(m_forward.weights_desc(), weights.value);
        m_weightGradient = weights.gradient;
        m_source = builder.forwardIn(m_forward.src_desc(), source);
        const memory destination = builder.newMemory(m_forward.dst_desc());
        builder.forward(
            Forward(m_forward),
            {{DNNL_ARG_SRC, m_source}, {DNNL_ARG_WEIGHTS, m_weights}, {DNNL_ARG_DST, destination}});
        builder.setActivation(m_index, builder.forwardIn(output, destination));
    }

    void addBackward(DnnlBuilder& builder) override
    {
        const GradientBuffer outputGradient = builder.takeGradient(m_index);
        addBackwardWeights(builder, outputGradient.memory);
        if (m_layer.input != kImages)
            addBackwardData(builder, outputGradient.memory);
    }

private:
    using Forward = dnnl::convolution_forward;
    using BackwardWeights = dnnl::convolution_backward_weights;
    using BackwardData = dnnl::convolution_backward_data;

    void addBackwardWeights(DnnlBuilder& builder, const memory& outputGradient)
    {
        const memory::desc source = m_source.get_desc();
        const memory::desc weights = m_weightGradient.get_desc();
        const memory::desc output = outputGradient.get_desc();
        const auto number = builder.number();
        const memory::desc any = anyLayout(weights, memory::data_type::f32);
        const auto make = [&](const Layouts& l) {
            return onednn::convolutionBackwardWeights(builder.engine(), l, m_window, m_forward);
        };
        const auto chosen = firstFast<BackwardWeights::primitive_desc>(
            make, Layouts{source, weights, output}, Layouts{source, any, output},
            Layouts{anyLayout(source, number), any, anyLayout(output, number)});
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

    void addBackwardData(DnnlBuilder& builder, const memory& outputGradient)
    {
        const memory::desc input = builder.activation(m_layer.input).get_desc();
        const auto number = builder.number();
        const memory::desc any = anyLayout(m_weights.get_desc(), number);
        const memory::desc output = outputGradient.get_desc();
        const auto make = [&](const Layouts& l) {
            return onednn::convolutionBackwardData(builder.engine(), l, m_window, m_forward);
        };
        const auto chosen = firstFast<BackwardData::primitive_desc>(
            make, Layouts{input, any, output},
            Layouts{anyLayout(input, number), any, anyLayout(output, number)});
        builder.check(m_layer.name + " (data backward)", chosen.impl_info_str());

        const GradientBuffer inputGradient = builder.newGradient(chosen.diff_src_desc());
        builder.backward(BackwardData(chosen),
                         {{DNNL_ARG_WEIGHTS, builder.backwardIn(chosen.weights_desc(), m_weights)},
                          {DNNL_ARG_DIFF_DST, builder.backwardIn(chosen.diff_dst_desc(), outputGradient)},
                          {DNNL_ARG_DIFF_SRC, inputGradient.memory}});
        builder.giveGradient(m_layer.input, builder.gradientIn(input, inputGradient));
    }

    Layer m_layer;
    int m_index;
    onednn::Window m_window;
    Forward::primitive_desc m_forward;
    memory m_source;
    memory m_weights; ///< as the forward pass reads them
    memory m_weightGradient;
};

/// Fully connected layer with bias; its output is plain rows of classes.
class DenseLayer : public DnnlLayer {
public:
    DenseLayer(const Layer& layer, int index)
        : m_layer(layer)
        , m_index(index)
    {
    }

    void addForward(DnnlBuilder& builder) override
    {
        const Shape in = builder.shapeOf(m_layer.input);
        const memory source = builder.activation(m_layer.input);
        const memory::desc plain({m_layer.channels, in.channels, in.height, in.width}, memory::data_type::f32,
                                 memory::format_tag::oihw);
        const memory::desc bias = plainVector(m_layer.channels);
        const memory::desc output({builder.batch(), m_layer.channels}, memory::data_type::f32,
                                  memory::format_tag::nc);
        const auto number = builder.number();
        m_forward = onednn::denseForward(
            builder.engine(), {anyLayout(source.get_desc(), number), anyLayout(plain, number), output}, bias);
        builder.check(m_layer.name, m_forward.impl_info_str());

        const DnnlParameter weights = builder.addParameter(m_forward.weights_desc(), plain);
        const DnnlParameter offsets = builder.addParameter(bias, bias);
        m_weights = builder.forwardIn(m_forward.weights_desc(), weights.value);
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

    void addBackward(DnnlBuilder& builder) override
    {
        const GradientBuffer given = builder.takeGradient(m_index);
        const memory::desc rows({builder.batch(), m_layer.channels}, builder.number(),
                                memory::format_tag::nc);
        const memory outputGradient = builder.backwardIn(rows, given.memory);
        addBackwardWeights(builder, outputGradient);
        if (m_layer.input != kImages)
            addBackwardData(builder, outputGradient);
    }

private:
    using Forward = dnnl::inner_product_forward;
    using BackwardWeights = dnnl::inner_product_backward_weights;
    using BackwardData = dnnl::inner_product_backward_data;

    void addBackwardWeights(DnnlBuilder& builder, const memory& outputGradient)
    {
        const auto make = [&](const memory::desc& weights) {
            return onednn::denseBackwardWeights(
                builder.engine(),
                {anyLayout(m_source.get_desc(), builder.number()), weights, outputGradient.get_desc()},
                m_biasGradient.get_desc(), m_forward);
        };
        const memory::desc wanted = m_weightGradient.get_desc();
        const auto chosen = firstFast<BackwardWeights::primitive_desc>(
            make, wanted, anyLayout(wanted, memory::data_type::f32));
        builder.check(m_layer.name + " (weights backward)", chosen.impl_info_str());

        const bool direct = chosen.diff_weights_desc() == wanted;
        const memory gradient = direct ? m_weightGradient : builder.newMemory(chosen.diff_weights_desc());
        builder.backward(BackwardWeights(chosen),
                         {{DNNL_ARG_SRC, builder.backwardIn(chosen.src_desc(), m_source)},
                          {DNNL_ARG_DIFF_DST, outputGradient},
                          {DNNL_ARG_DIFF_WEIGHTS, gradient},
                          {DNNL_ARG_DIFF_BIAS, m_biasGradient}});
        if (!direct)
            builder.backwardReorder(gradient, m_weightGradient);
    }

    void addBackwardData(DnnlBuilder& builder, const memory& outputGradient)
    {
        const memory::desc input = builder.activation(m_layer.input).get_desc();
        const auto chosen = onednn::denseBackwardData(builder.engine(),
                                                      {anyLayout(input, builder.number()),
                                                       anyLayout(m_weights.get_desc(), builder.number()),
                                                       outputGradient.get_desc()},
                                                      m_forward);
        builder.check(m_layer.name + " (data backward)", chosen.impl_info_str());
        const GradientBuffer inputGradient = builder.newGradient(chosen.diff_src_desc());
        builder.backward(BackwardData(chosen),
                         {{DNNL_ARG_WEIGHTS, builder.backwardIn(chosen.weights_desc(), m_weights)},
                          {DNNL_ARG_DIFF_DST, outputGradient},
                          {DNNL_ARG_DIFF_SRC, inputGradient.memory}});
        builder.giveGradient(m_layer.input, builder.gradientIn(input, inputGradient));
    }

    Layer m_layer;
    int m_index;
    Forward::primitive_desc m_forward;
    memory m_source, m_weights, m_weightGradient, m_biasGradient;
};

} // namespace

std::unique_ptr<DnnlLayer> makeConvolutionLayer(const Layer& layer, int index)
{
    return std::make_unique<ConvolutionLayer>(layer, index);
}

std::unique_ptr<DnnlLayer> makeDenseLayer(const Layer& layer, int index)
{
    return std::make_unique<DenseLayer>(layer, index);
}

} // namespace quadric::trainer
