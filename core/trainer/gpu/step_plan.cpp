// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/gpu/step_plan.h"

#include "core/trainer/gpu/layer_fusion.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace quadric::trainer::cuda {

namespace {

std::size_t valuesOf(const Shape& shape)
{
    return static_cast<std::size_t>(shape.channels) * static_cast<std::size_t>(shape.height) *
           static_cast<std::size_t>(shape.width);
}

class StepPlanner {
public:
    StepPlanner(const Network& network, const StepShape& shape, std::size_t bucketBytes)
        : m_fused(fuseSums(network))
        , m_shapes(inferShapes(network, shape.image))
    {
        m_plan.shape = shape;
        m_plan.classes = network.classes;
        m_plan.parameters = parametersOf(network, shape.image);
        const std::vector<std::size_t> counts = countsOf(m_plan.parameters);
        m_plan.spans = layOut(counts);
        m_plan.buckets = makeBuckets(m_plan.spans, counts, bucketBytes);
    }

    StepPlan take()
    {
        for (std::size_t i = 0; i < m_fused.size(); ++i)
            addForward(i);
        for (std::size_t i = m_fused.size(); i-- > 0;)
            addBackward(i);
        m_plan.arenaBytes = m_blocks.arenaBytes();
        return std::move(m_plan);
    }

private:
    std::size_t bytes(const Shape& shape) const
    {
        return static_cast<std::size_t>(m_plan.shape.batch) * valuesOf(shape) *
               bytesOf(m_plan.shape.precision);
    }
    Shape shapeOf(int value) const
    {
        return value == kImages ? m_plan.shape.image : m_shapes[static_cast<std::size_t>(value)];
    }
    std::optional<Block> blockOf(int value) const
    {
        return value == kImages ? std::nullopt : std::optional(m_values.at(value));
    }

    void addForward(std::size_t index);
    void addBackward(std::size_t index);
    void planGradients(const FusedLayer& fused, PlannedLayer& planned);
    void give(int value, const Block& gradient) { m_gradients[value].push_back(gradient); }
    void finishBuckets(const FusedLayer& fused, PlannedLayer& planned);

    std::vector<FusedLayer> m_fused;
    std::vector<Shape> m_shapes; ///< by layer of the network
    StepPlan m_plan;
    OffsetAllocator m_blocks;
    std::map<int, Block> m_values; ///< outputs by layer of the network
    std::map<int, std::vector<Block>> m_gradients;
    std::vector<bool> m_isFinal; ///< by parameter
    std::size_t m_nextBucket = 0;
};

void StepPlanner::addForward(std::size_t index)
{
    const FusedLayer& fused = m_fused[index];
    const Layer& layer = fused.layer;
    PlannedLayer planned;
    planned.kind = layer.kind;
    planned.name = layer.name;
    planned.kernel = layer.kernel;
    planned.stride = layer.stride;
    planned.padding = layer.padding;
    planned.relu = layer.relu;
    planned.in = shapeOf(layer.input);
    planned.out = shapeOf(fused.output);
    planned.input = blockOf(layer.input);
    planned.shortcut = blockOf(layer.shortcut);
    const bool isLogits = layer.kind == LayerKind::Dense;
    const std::size_t outputs = static_cast<std::size_t>(m_plan.shape.batch) * valuesOf(planned.out);
    planned.output = m_blocks.allocate(isLogits ? outputs * sizeof(float) : bytes(planned.out));
    m_values[fused.output] = planned.output;
    if (layer.kind == LayerKind::MaxPool)
        planned.choices = m_blocks.allocate(outputs);
    if (layer.kind == LayerKind::BatchNorm) {
        planned.statistics = m_plan.channels;
        m_plan.channels += static_cast<std::size_t>(planned.out.channels);
    }
    const auto first = std::ranges::find(m_plan.parameters, fused.parameterLayer, &Parameter::layer);
    planned.parameter = static_cast<std::size_t>(first - m_plan.parameters.begin());
    m_plan.layers.push_back(std::move(planned));
    for (const int value : fused.readLast)
        m_blocks.release(m_values.at(value));
}

void StepPlanner::addBackward(std::size_t index)
{
    const FusedLayer& fused = m_fused[index];
    PlannedLayer& planned = m_plan.layers[index];
    if (index + 1 == m_fused.size())
        give(fused.output, m_blocks.allocate(bytes(planned.out)));
    planned.outputGradients = m_gradients[fused.output];
    const bool takesTwo = planned.kind == LayerKind::BatchNorm || planned.kind == LayerKind::MaxPool;
    const std::size_t most = takesTwo ? 2 : 1;
    if (planned.outputGradients.empty() || planned.outputGradients.size() > most)
        throw std::invalid_argument("layer " + planned.name + ": its output is read by " +
                                    std::to_string(planned.outputGradients.size()) + " layers, not by 1" +
                                    (takesTwo ? " or 2" : ""));
    planGradients(fused, planned);
    for (const Block& gradient : planned.outputGradients) {
        if (gradient != planned.inputGradient && gradient != planned.shortcutGradient)
            m_blocks.release(gradient);
    }
    for (const int value : fused.readLastBackward)
        m_blocks.release(m_values.at(value));
    if (planned.choices)
        m_blocks.release(*planned.choices);
    finishBuckets(fused, planned);
}

/// A batch normalization reads and writes the same place, so that its gradients may lie on those it got.
void StepPlanner::planGradients(const FusedLayer& fused, PlannedLayer& planned)
{
    const std::vector<Block>& gradients = planned.outputGradients;
    if (fused.layer.input != kImages) {
        const bool inPlace = planned.kind == LayerKind::BatchNorm;
        planned.inputGradient = inPlace ? gradients.front() : m_blocks.allocate(bytes(planned.in));
        give(fused.layer.input, *planned.inputGradient);
    }
    if (planned.shortcut) {
        planned.shortcutGradient =
            gradients.size() > 1 ? gradients.back() : m_blocks.allocate(bytes(planned.out));
        give(fused.layer.shortcut, *planned.shortcutGradient);
    }
}

/// Buckets leave in their own order, and only when all their gradients are final.
void StepPlanner::finishBuckets(const FusedLayer& fused, PlannedLayer& planned)
{
    m_isFinal.resize(m_plan.parameters.size(), false);
    for (std::size_t i = 0; i < m_plan.parameters.size(); ++i) {
        if (m_plan.parameters[i].layer == fused.parameterLayer)
            m_isFinal[i] = true;
    }
    std::size_t first = m_isFinal.size();
    while (first > 0 && m_isFinal[first - 1])
        --first;
    const std::size_t finalFrom =
        first < m_isFinal.size() ? m_plan.spans[first].offset : m_plan.parameterCount();
    while (m_nextBucket < m_plan.buckets.size() && m_plan.buckets[m_nextBucket].offset >= finalFrom)
        planned.finishedBuckets.push_back(m_nextBucket++);
}

} // namespace

std::size_t bytesOf(Precision precision)
{
    return storedAs(precision) == Precision::Fp32 ? 4 : 2;
}

StepPlan planStep(const Network& network, const StepShape& shape, std::size_t bucketBytes)
{
    if (network.layers.empty() || network.layers.back().kind != LayerKind::Dense)
        throw std::invalid_argument("network " + network.name + ": the last layer must be dense");
    return StepPlanner(network, shape, bucketBytes).take();
}

} // namespace quadric::trainer::cuda
