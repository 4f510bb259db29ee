// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/cuda_network.h"

#include "core/trainer/base/wire_type.h"
#include "core/trainer/cuda/kernels/check.h"
#include "core/trainer/gpu/channel_grid.h"
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

} // namespace quadric::trainer::cuda
