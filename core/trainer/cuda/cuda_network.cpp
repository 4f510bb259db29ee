// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/cuda_network.h"

#include "core/trainer/base/exchange_options.h"
#include "core/trainer/gpu/weight_layout.h"

#include <algorithm>
#include <stdexcept>

namespace quadric::trainer::cuda {

namespace {

std::size_t mostChannels(const StepPlan& plan)
{
    int most = 1;
    for (const PlannedLayer& layer : plan.layers)
        most = std::max(most, layer.kind == LayerKind::BatchNorm ? layer.in.channels : 1);
    return static_cast<std::size_t>(most);
}

std::size_t imageValues(const StepShape& shape)
{
    return static_cast<std::size_t>(shape.batch) * static_cast<std::size_t>(shape.image.channels) *
           static_cast<std::size_t>(shape.image.height) * static_cast<std::size_t>(shape.image.width);
}

DenseShape denseShape(const StepPlan& plan)
{
    const PlannedLayer& dense = plan.layers.back();
    return {plan.shape.precision, plan.shape.batch, dense.in.channels * dense.in.height * dense.in.width,
            dense.out.channels};
}

ConvolutionProblem problemOf(const StepShape& shape, const PlannedLayer& layer, ConvolutionPass pass)
{
    return {pass,      shape.precision, shape.batch,  layer.in,
            layer.out, layer.kernel,    layer.stride, layer.padding};
}

} // namespace

CudaNetwork::CudaNetwork(StepPlan plan, const Stream& stream, Collective& collective,
                         const std::string& driver)
    : m_plan(std::move(plan))
    , m_stream(stream)
    , m_precision(storedAs(m_plan.shape.precision))
    , m_arena(m_plan.arenaBytes)
    , m_images(imageValues(m_plan.shape) * bytesOf(m_precision))
    , m_labels(static_cast<std::size_t>(m_plan.shape.batch) * sizeof(int))
    , m_rowLosses(static_cast<std::size_t>(m_plan.shape.batch) * sizeof(float))
    , m_loss(sizeof(float))
    , m_lossScale(sizeof(LossScale))
    , m_values(m_plan.parameterCount() * sizeof(float))
    , m_rounded(m_precision == Precision::Fp32 ? 0 : m_plan.parameterCount() * bytesOf(m_precision))
    , m_gradients(m_plan.parameterCount() * sizeof(float))
    , m_computed(m_plan.parameterCount() * bytesOf(m_precision))
    , m_means(m_plan.channels * sizeof(float))
    , m_inverseDeviations(m_plan.channels * sizeof(float))
    , m_partials(partialSums(static_cast<int>(mostChannels(m_plan))) * sizeof(float))
    , m_coefficients(3 * mostChannels(m_plan) * sizeof(float))
    , m_cudnn(stream)
    , m_dense(denseShape(m_plan))
{
    planConvolutions(collective, driver);
}

void CudaNetwork::forConvolutions(const ConvolutionVisitor& visit)
{
    m_plans.resize(m_plan.layers.size());
    for (std::size_t i = 0; i < m_plans.size(); ++i) {
        const PlannedLayer& layer = m_plan.layers[i];
        if (layer.kind != LayerKind::Convolution)
            continue;
        void* gradient = at(layer.outputGradients.front());
        visit({problemOf(m_plan.shape, layer, ConvolutionPass::Forward),
               {inputOf(layer), weight(layer.parameter), at(layer.output)}},
              m_plans[i].forward);
        visit({problemOf(m_plan.shape, layer, ConvolutionPass::WeightGradient),
               {inputOf(layer), computedGradient(layer.parameter), gradient}},
              m_plans[i].weightGradient);
        if (layer.inputGradient)
            visit({problemOf(m_plan.shape, layer, ConvolutionPass::InputGradient),
                   {at(*layer.inputGradient), weight(layer.parameter), gradient}},
                  m_plans[i].inputGradient);
    }
}

void CudaNetwork::planConvolutions(Collective& collective, const std::string& driver)
{
    std::vector<ConvolutionTask> tasks;
    forConvolutions([&](const ConvolutionTask& task, auto&) { tasks.push_back(task); });
    const ConvolutionPlans chosen = choosePlans(tasks, m_cudnn, m_stream, collective, driver);
    forConvolutions([&](const ConvolutionTask& task, std::optional<ConvolutionPlan>& plan) {
        plan = chosen.of(task.problem);
    });
    m_planRecord = chosen.record;
    m_workspace = DeviceMemory(chosen.workspaceBytes());
}

void CudaNetwork::setBatch(std::span<const float> images, std::span<const int> labels)
{
    const StepShape& shape = m_plan.shape;
    if (images.size() != imageValues(shape) || labels.size() != static_cast<std::size_t>(shape.batch))
        throw std::invalid_argument("the batch does not have the planned size");
    const std::vector<float> values =
        channelsLast({shape.batch, shape.image.channels, shape.image.height, shape.image.width}, images);
    m_labels.upload(labels.data(), labels.size_bytes());
    if (m_precision == Precision::Fp32) {
        m_images.upload(values.data(), values.size() * sizeof(float));
        return;
    }
    std::vector<std::uint16_t> bits(values.size());
    encode16(m_precision == Precision::Bf16 ? WireType::Bf16 : WireType::Fp16, values, bits);
    m_images.upload(bits.data(), bits.size() * sizeof(std::uint16_t));
}

void CudaNetwork::setValue(std::size_t parameter, std::span<const float> plain)
{
    const Parameter& tensor = m_plan.parameters.at(parameter);
    if (plain.size() != tensor.count())
        throw std::invalid_argument("parameter " + tensor.name + ": wrong number of values");
    const std::vector<float> values = channelsLast(tensor.dims, plain);
    m_values.upload(values.data(), values.size() * sizeof(float),
                    m_plan.spans[parameter].offset * sizeof(float));
}

std::vector<float> CudaNetwork::gradient(std::size_t parameter) const
{
    const Parameter& tensor = m_plan.parameters.at(parameter);
    std::vector<float> values(tensor.count());
    m_gradients.download(values.data(), values.size() * sizeof(float),
                         m_plan.spans[parameter].offset * sizeof(float));
    return channelsFirst(tensor.dims, values);
}

void CudaNetwork::finishValues()
{
    LossScale first;
    if (m_precision == Precision::Fp16)
        first.scale = kFirstLossScale;
    m_lossScale.upload(&first, sizeof(first));
    if (rounded() != nullptr)
        roundValues(m_precision, values(), rounded(), m_plan.parameterCount(), m_stream.get());
    m_stream.wait();
}

void* CudaNetwork::weight(std::size_t parameter) const
{
    const DeviceMemory& memory = m_precision == Precision::Fp32 ? m_values : m_rounded;
    return memory.as<std::byte>(m_plan.spans[parameter].offset * bytesOf(m_precision));
}

void* CudaNetwork::computedGradient(std::size_t parameter) const
{
    return m_computed.as<std::byte>(m_plan.spans[parameter].offset * bytesOf(m_precision));
}

void CudaNetwork::execute(const ConvolutionPlan& plan, const ConvolutionTensors& tensors) const
{
    cuda::execute(m_cudnn.get(), plan, tensors, m_workspace.data());
}

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
