// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cpu/cpu_network.h"

#include "core/trainer/cpu/dnnl_plan.h"
#include "core/trainer/cpu/sgd.h"
#include "core/trainer/workload/training_batches.h"

#include <algorithm>
#include <stdexcept>

namespace quadric::trainer {

using dnnl::memory;

namespace {

std::size_t elements(const memory& values)
{
    return values.get_desc().get_size() / sizeof(float);
}

std::span<float> floatsOf(const memory& values)
{
    return {static_cast<float*>(values.get_data_handle()), elements(values)};
}

} // namespace

struct CpuNetwork::Implementation {
    DnnlPlan plan;
    dnnl::stream stream;
    std::vector<int> labels;

    Implementation(const Network& network, const StepShape& shape)
        : plan(planTrainingStep(network, shape))
        , stream(plan.engine)
        , labels(static_cast<std::size_t>(shape.batch), 0)
    {
    }

    void run(const std::vector<DnnlOp>& ops)
    {
        for (const DnnlOp& op : ops)
            op.primitive.execute(stream, op.arguments);
        stream.wait();
    }

    std::vector<float> plainCopy(const memory& blocked, const memory::desc& plain)
    {
        std::vector<float> values(plain.get_size() / sizeof(float));
        memory target(plain, plan.engine, values.data());
        memory source = blocked;
        dnnl::reorder(source, target).execute(stream, source, target);
        stream.wait();
        return values;
    }
};

CpuNetwork::CpuNetwork(const Network& network, const StepShape& shape)
    : m_parameters(parametersOf(network, shape.image))
    , m_implementation(std::make_unique<Implementation>(network, shape))
{
}

CpuNetwork::~CpuNetwork() = default;

std::vector<ArenaSpan> CpuNetwork::spans() const
{
    std::vector<ArenaSpan> spans;
    for (const DnnlParameter& parameter : m_implementation->plan.parameters)
        spans.push_back(parameter.span);
    return spans;
}

std::span<float> CpuNetwork::values()
{
    return m_implementation->plan.values;
}

std::span<float> CpuNetwork::gradients()
{
    return m_implementation->plan.gradients;
}

void CpuNetwork::setBatch(std::span<const float> images, std::span<const int> labels)
{
    const std::span<float> target = floatsOf(m_implementation->plan.images);
    if (images.size() != target.size() || labels.size() != m_implementation->labels.size())
        throw std::invalid_argument("the batch does not have the planned size");
    std::ranges::copy(images, target.begin());
    std::ranges::copy(labels, m_implementation->labels.begin());
}

double CpuNetwork::forward()
{
    m_implementation->run(m_implementation->plan.forward);
    return softmaxCrossEntropy(floatsOf(m_implementation->plan.logits), m_implementation->labels,
                               floatsOf(m_implementation->plan.logitGradients));
}

void CpuNetwork::backward(const std::function<void(std::size_t)>& finished)
{
    for (const DnnlBackwardStep& step : m_implementation->plan.backward) {
        m_implementation->run(step.ops);
        if (finished)
            finished(step.finishedFrom);
    }
}

std::vector<float> CpuNetwork::value(std::size_t parameter) const
{
    const DnnlParameter& tensor = m_implementation->plan.parameters.at(parameter);
    return m_implementation->plainCopy(tensor.value, tensor.plain);
}

std::vector<float> CpuNetwork::gradient(std::size_t parameter) const
{
    const DnnlParameter& tensor = m_implementation->plan.parameters.at(parameter);
    return m_implementation->plainCopy(tensor.gradient, tensor.plain);
}

void CpuNetwork::setValue(std::size_t parameter, std::span<const float> plain)
{
    const DnnlParameter& tensor = m_implementation->plan.parameters.at(parameter);
    if (plain.size() != m_parameters.at(parameter).count())
        throw std::invalid_argument("parameter " + m_parameters[parameter].name + ": wrong number of values");
    std::vector<float> copy(plain.begin(), plain.end());
    memory source(tensor.plain, m_implementation->plan.engine, copy.data());
    memory target = tensor.value;
    dnnl::reorder(source, target).execute(m_implementation->stream, source, target);
    m_implementation->stream.wait();
}

CpuNetwork::BufferUse CpuNetwork::bufferUse() const
{
    const DnnlPlan& plan = m_implementation->plan;
    return {plan.buffers.bytes(), plan.forwardBytes, plan.backwardAtWork, plan.buffers.claimedBytes()};
}

const std::vector<std::string>& CpuNetwork::warnings() const
{
    return m_implementation->plan.warnings;
}

std::uint64_t CpuNetwork::layoutHash() const
{
    return m_implementation->plan.layoutHash;
}

void initialize(CpuNetwork& network, std::uint64_t seed)
{
    const std::vector<std::vector<float>> values = firstParameters(network.parameters(), seed);
    for (std::size_t i = 0; i < values.size(); ++i)
        network.setValue(i, values[i]);
}

} // namespace quadric::trainer
