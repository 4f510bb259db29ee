// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/cuda_network.h"

namespace quadric::trainer::cuda {

void CudaNetwork::forward(bool accumulates) const
{
    for (std::size_t index = 0; index < m_plan.layers.size(); ++index)
        forwardLayer(index);
    void* logitGradients = at(m_plan.layers.back().outputGradients.front());
    crossEntropy(m_precision, lossRows(), {lossScale(), accumulates}, logitGradients, m_stream.get());
}

void CudaNetwork::backward(bool accumulates, const std::function<void(std::size_t)>& finished) const
{
    for (std::size_t index = m_plan.layers.size(); index-- > 0;) {
        backwardLayer(index, {lossScale(), accumulates});
        for (const std::size_t bucket : m_plan.layers[index].finishedBuckets) {
            if (finished)
                finished(bucket);
        }
    }
}

void CudaNetwork::forwardLayer(std::size_t index) const
{
    const PlannedLayer& layer = m_plan.layers[index];
    const cudaStream_t stream = m_stream.get();
    switch (layer.kind) {
    case LayerKind::Convolution:
        execute(*m_plans[index].forward, {inputOf(layer), weight(layer.parameter), at(layer.output)});
        break;
    case LayerKind::BatchNorm:
        normalizeForward(m_precision, normLayer(layer), inputOf(layer),
                         layer.shortcut ? at(*layer.shortcut) : nullptr, at(layer.output), stream);
        break;
    case LayerKind::MaxPool:
        maxPoolForward(m_precision, poolLayer(layer), inputOf(layer), at(layer.output),
                       static_cast<std::uint8_t*>(at(*layer.choices)), stream);
        break;
    case LayerKind::AveragePool:
        averagePoolForward(m_precision, poolLayer(layer), inputOf(layer), at(layer.output), stream);
        break;
    case LayerKind::Dense:
        m_dense.forward(inputOf(layer), weight(layer.parameter), value(layer.parameter + 1),
                        static_cast<float*>(at(layer.output)), stream);
        break;
    case LayerKind::Add: // part of a batch normalization
        break;
    }
}

void CudaNetwork::backwardLayer(std::size_t index, const GradientTarget& target) const
{
    const PlannedLayer& layer = m_plan.layers[index];
    const cudaStream_t stream = m_stream.get();
    const void* gradient = at(layer.outputGradients.front());
    const void* second = layer.outputGradients.size() > 1 ? at(layer.outputGradients.back()) : nullptr;
    switch (layer.kind) {
    case LayerKind::Convolution:
        convolveBack(index, target);
        break;
    case LayerKind::BatchNorm:
        normalizeBack(layer, target);
        break;
    case LayerKind::MaxPool:
        maxPoolBackward(m_precision, poolLayer(layer), gradient, second,
                        static_cast<const std::uint8_t*>(at(*layer.choices)), at(*layer.inputGradient),
                        stream);
        break;
    case LayerKind::AveragePool:
        averagePoolBackward(m_precision, poolLayer(layer), gradient, at(*layer.inputGradient), stream);
        break;
    case LayerKind::Dense:
        multiplyBack(layer, target);
        break;
    case LayerKind::Add:
        break;
    }
}

void CudaNetwork::convolveBack(std::size_t index, const GradientTarget& target) const
{
    const PlannedLayer& layer = m_plan.layers[index];
    void* gradient = at(layer.outputGradients.front());
    execute(*m_plans[index].weightGradient, {inputOf(layer), computedGradient(layer.parameter), gradient});
    finishGradient(m_precision, computedGradient(layer.parameter), gradientAt(layer.parameter),
                   m_plan.spans[layer.parameter].count, target, m_stream.get());
    if (layer.inputGradient)
        execute(*m_plans[index].inputGradient, {at(*layer.inputGradient), weight(layer.parameter), gradient});
}

void CudaNetwork::normalizeBack(const PlannedLayer& layer, const GradientTarget& target) const
{
    NormGradients gradients;
    gradients.x = inputOf(layer);
    gradients.y = at(layer.output);
    gradients.gradient = at(layer.outputGradients.front());
    gradients.secondGradient = layer.outputGradients.size() > 1 ? at(layer.outputGradients.back()) : nullptr;
    gradients.inputGradient = layer.inputGradient ? at(*layer.inputGradient) : nullptr;
    gradients.shortcutGradient = layer.shortcutGradient ? at(*layer.shortcutGradient) : nullptr;
    gradients.scaleGradient = gradientAt(layer.parameter);
    gradients.shiftGradient = gradientAt(layer.parameter + 1);
    normalizeBackward(m_precision, normLayer(layer), gradients, target, m_stream.get());
}

void CudaNetwork::multiplyBack(const PlannedLayer& layer, const GradientTarget& target) const
{
    const cudaStream_t stream = m_stream.get();
    const void* gradient = at(layer.outputGradients.front());
    m_dense.weightGradient(gradient, inputOf(layer), computedGradient(layer.parameter), stream);
    finishGradient(m_precision, computedGradient(layer.parameter), gradientAt(layer.parameter),
                   m_plan.spans[layer.parameter].count, target, stream);
    biasGradient(m_precision, m_plan.shape.batch, layer.out.channels, gradient,
                 gradientAt(layer.parameter + 1), target, stream);
    m_dense.inputGradient(gradient, weight(layer.parameter), at(*layer.inputGradient), stream);
}

NormLayer CudaNetwork::normLayer(const PlannedLayer& layer) const
{
    NormLayer norm;
    norm.rows = static_cast<std::size_t>(m_plan.shape.batch) * static_cast<std::size_t>(layer.in.height) *
                static_cast<std::size_t>(layer.in.width);
    norm.channels = layer.in.channels;
    norm.relu = layer.relu;
    norm.scale = value(layer.parameter);
    norm.shift = value(layer.parameter + 1);
    norm.means = m_means.as<float>() + layer.statistics;
    norm.inverseDeviations = m_inverseDeviations.as<float>() + layer.statistics;
    norm.partials = m_partials.as<float>();
    norm.coefficients = m_coefficients.as<float>();
    return norm;
}

PoolLayer CudaNetwork::poolLayer(const PlannedLayer& layer) const
{
    return {m_plan.shape.batch, layer.in, layer.out, layer.kernel, layer.stride, layer.padding};
}

LossRows CudaNetwork::lossRows() const
{
    const PlannedLayer& dense = m_plan.layers.back();
    return {m_plan.shape.batch, m_plan.classes,          static_cast<const float*>(at(dense.output)),
            m_labels.as<int>(), m_rowLosses.as<float>(), loss()};
}

} // namespace quadric::trainer::cuda
