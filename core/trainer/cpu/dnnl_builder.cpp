// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cpu/dnnl_builder.h"

#include <algorithm>

namespace quadric::trainer {

using dnnl::memory;

bool isReferenceImplementation(const std::string& name)
{
    return name.starts_with("ref") || name.find(":ref") != std::string::npos;
}

DnnlBuilder::DnnlBuilder(DnnlPlan& plan, const Network& network, const StepShape& shape)
    : m_plan(plan)
    , m_shapes(inferShapes(network, shape.image))
    , m_layers(network.layers)
    , m_readers(network.layers.size(), 0)
    , m_shape(shape)
    , m_number(shape.precision == Precision::Bf16 ? memory::data_type::bf16 : memory::data_type::f32)
    , m_blockedTag(onednn::channelBlock() == 16 ? memory::format_tag::nChw16c : memory::format_tag::nChw8c)
    , m_owned(network.layers.size())
    , m_activations(network.layers.size())
    , m_gradients(network.layers.size())
{
    for (const Layer& layer : network.layers) {
        for (const int value : {layer.input, layer.kind == LayerKind::Add ? layer.shortcut : kImages}) {
            if (value != kImages)
                ++m_readers.at(static_cast<std::size_t>(value));
        }
    }
    const memory::desc images({shape.batch, shape.image.channels, shape.image.height, shape.image.width},
                              memory::data_type::f32, memory::format_tag::nchw);
    m_plan.claims.push_back(m_plan.buffers.claim(images.get_size()));
    m_plan.images = memory(images, engine(), m_plan.claims.back().get());
}

const Shape& DnnlBuilder::shapeOf(int value) const
{
    return value == kImages ? m_shape.image : m_shapes.at(static_cast<std::size_t>(value));
}

memory DnnlBuilder::activation(int value) const
{
    return value == kImages ? m_plan.images : m_activations.at(static_cast<std::size_t>(value));
}

memory::desc DnnlBuilder::blocked(const Shape& shape) const
{
    return {{batch(), shape.channels, shape.height, shape.width}, m_number, m_blockedTag};
}

memory DnnlBuilder::newMemory(const memory::desc& desc)
{
    std::vector<BufferPool::Claim>& owned = m_owned.at(static_cast<std::size_t>(m_layer));
    owned.push_back(claimFor(desc));
    return {desc, engine(), owned.back().get()};
}

bool DnnlBuilder::isReadOnlyOnce(int value) const
{
    if (value == kImages)
        return false;
    const Layer& layer = m_layers.at(static_cast<std::size_t>(value));
    return layer.kind == LayerKind::BatchNorm && !layer.relu &&
           m_readers.at(static_cast<std::size_t>(value)) == 1 &&
           !onednn::isPadded(activation(value).get_desc());
}

/// oneDNN counts on zeros in the padding of a layout and does not always write them: such memory has one
/// user.
BufferPool::Claim DnnlBuilder::claimFor(const memory::desc& desc)
{
    if (!onednn::isPadded(desc))
        return m_plan.buffers.claim(desc.get_size());
    m_plan.claims.push_back(m_plan.buffers.claimNew(desc.get_size()));
    return m_plan.claims.back();
}

void DnnlBuilder::releaseOutput(int value)
{
    const void* memory = activation(value).get_data_handle();
    std::erase_if(m_owned.at(static_cast<std::size_t>(value)),
                  [memory](const BufferPool::Claim& claim) { return claim.get() == memory; });
}

void DnnlBuilder::beginBackward(int layer)
{
    m_layer = layer;
    m_plan.backward.emplace_back();
    m_bytesBefore = m_plan.buffers.claimedBytes() - waitingGradientBytes();
}

std::size_t DnnlBuilder::waitingGradientBytes() const
{
    std::size_t bytes = 0;
    for (const GradientBuffer& gradient : m_gradients)
        bytes += gradient.claim ? gradient.memory.get_desc().get_size() : 0;
    return bytes;
}

void DnnlBuilder::endBackward()
{
    m_plan.backwardAtWork = std::max(m_plan.backwardAtWork, m_plan.buffers.claimedBytes() - m_bytesBefore);
    m_owned.at(static_cast<std::size_t>(m_layer)).clear();
}

void DnnlBuilder::setActivation(int value, const memory& memory)
{
    m_activations.at(static_cast<std::size_t>(value)) = memory;
}

DnnlParameter& DnnlBuilder::addParameter(const memory::desc& layout, const memory::desc& plain)
{
    const memory::desc& stored = onednn::dataType(layout) == memory::data_type::f32 ? layout : plain;
    m_plan.parameters.push_back({memory(stored, engine(), DNNL_MEMORY_NONE),
                                 memory(stored, engine(), DNNL_MEMORY_NONE),
                                 plain,
                                 {0, stored.get_size() / sizeof(float)}});
    return m_plan.parameters.back();
}

void DnnlBuilder::forward(const dnnl::primitive& primitive, Arguments arguments)
{
    m_plan.forward.push_back({primitive, std::move(arguments)});
}

void DnnlBuilder::backward(const dnnl::primitive& primitive, Arguments arguments)
{
    m_plan.backward.back().ops.push_back({primitive, std::move(arguments)});
}

memory DnnlBuilder::forwardIn(const memory::desc& wanted, const memory& source)
{
    if (source.get_desc() == wanted)
        return source;
    memory target = newMemory(wanted);
    m_plan.forward.push_back(reorderOp(source, target));
    return target;
}

memory DnnlBuilder::backwardIn(const memory::desc& wanted, const memory& source)
{
    if (source.get_desc() == wanted)
        return source;
    memory target = newMemory(wanted);
    backwardReorder(source, target);
    return target;
}

DnnlOp DnnlBuilder::reorderOp(const memory& from, const memory& to)
{
    const dnnl::reorder::primitive_desc reorder(from, to);
    check(m_layers.at(static_cast<std::size_t>(m_layer)).name + " (change of layout)",
          reorder.impl_info_str());
    return {dnnl::reorder(reorder), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}}};
}

void DnnlBuilder::backwardReorder(const memory& from, const memory& to)
{
    m_plan.backward.back().ops.push_back(reorderOp(from, to));
}

GradientBuffer DnnlBuilder::newGradient(const memory::desc& desc)
{
    BufferPool::Claim claim = claimFor(desc);
    return {memory(desc, engine(), claim.get()), std::move(claim)};
}

GradientBuffer DnnlBuilder::takeGradient(int value)
{
    return std::move(m_gradients.at(static_cast<std::size_t>(value)));
}

GradientBuffer DnnlBuilder::gradientIn(const memory::desc& wanted, const GradientBuffer& gradient)
{
    if (gradient.memory.get_desc() == wanted)
        return gradient;
    GradientBuffer reordered = newGradient(wanted);
    backwardReorder(gradient.memory, reordered.memory);
    return reordered;
}

void DnnlBuilder::giveGradient(int value, GradientBuffer gradient)
{
    if (value == kImages)
        return;
    GradientBuffer& sum = m_gradients.at(static_cast<std::size_t>(value));
    if (!sum.claim) {
        sum = std::move(gradient);
        return;
    }
    if (gradient.isShared())
        std::swap(sum, gradient);
    const memory::desc& desc = gradient.memory.get_desc();
    const GradientBuffer target = gradient.isShared() ? newGradient(desc) : gradient;
    const auto add = onednn::sum(engine(), desc);
    check(m_layers.at(static_cast<std::size_t>(value)).name + " (sum of gradients)", add.impl_info_str());
    backward(
        dnnl::binary(add),
        {{DNNL_ARG_SRC_0, gradient.memory}, {DNNL_ARG_SRC_1, sum.memory}, {DNNL_ARG_DST, target.memory}});
    sum = target;
}

void DnnlBuilder::check(const std::string& layer, const std::string& implementation)
{
    if (isReferenceImplementation(implementation))
        m_plan.warnings.push_back(layer + " runs in oneDNN's slow reference code (" + implementation + ")");
}

} // namespace quadric::trainer
