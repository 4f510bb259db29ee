// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cpu/dnnl_plan.h"

#include "core/trainer/base/hash.h"
#include "core/trainer/cpu/dnnl_layers.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

namespace quadric::trainer {

namespace {

constexpr std::align_val_t kAlignment{64};
constexpr std::size_t kLargestWaste = 2; ///< a free buffer up to this many times too large is reused

using Layers = std::vector<std::unique_ptr<DnnlLayer>>;

std::uint64_t hashLayouts(const std::vector<DnnlParameter>& parameters)
{
    Hash hash;
    for (const DnnlParameter& parameter : parameters) {
        for (const std::int64_t number : onednn::layoutNumbers(parameter.value.get_desc()))
            hash.add(static_cast<std::uint64_t>(number));
        hash.add(std::uint64_t{parameter.span.offset});
    }
    return hash.value();
}

void placeParameters(DnnlPlan& plan)
{
    std::vector<std::size_t> counts;
    for (const DnnlParameter& parameter : plan.parameters)
        counts.push_back(parameter.span.count);
    const std::vector<ArenaSpan> spans = layOut(counts);
    const std::size_t total = spans.empty() ? 0 : spans.back().offset + spans.back().count;
    plan.values.assign(total, 0.0F);
    plan.gradients.assign(total, 0.0F);
    for (std::size_t i = 0; i < spans.size(); ++i) {
        DnnlParameter& parameter = plan.parameters[i];
        parameter.span = spans[i];
        parameter.value.set_data_handle(plan.values.data() + spans[i].offset);
        parameter.gradient.set_data_handle(plan.gradients.data() + spans[i].offset);
    }
}

void addForward(DnnlPlan& plan, DnnlBuilder& builder, const Layers& layers)
{
    const int last = static_cast<int>(layers.size()) - 1;
    for (int index = 0; index <= last; ++index) {
        builder.beginForward(index);
        layers[static_cast<std::size_t>(index)]->addForward(builder);
    }
    plan.logits = builder.activation(last);
    GradientBuffer gradient = builder.newGradient(plan.logits.get_desc());
    plan.logitGradients = gradient.memory;
    plan.claims.push_back(gradient.claim);
    builder.giveGradient(last, std::move(gradient));
}

void addBackward(DnnlPlan& plan, DnnlBuilder& builder, const Layers& layers,
                 const std::vector<Parameter>& parameters)
{
    std::size_t first = parameters.size();
    for (int index = static_cast<int>(layers.size()) - 1; index >= 0; --index) {
        builder.beginBackward(index);
        layers[static_cast<std::size_t>(index)]->addBackward(builder);
        builder.endBackward();
        while (first > 0 && parameters[first - 1].layer >= index)
            --first;
        plan.backward.back().finishedFrom =
            first < parameters.size() ? plan.parameters[first].span.offset : plan.gradients.size();
    }
}

} // namespace

void BufferPool::Free::operator()(std::byte* memory) const
{
    ::operator delete[](memory, kAlignment);
}

BufferPool::Claim BufferPool::claim(std::size_t bytes)
{
    m_claimedBytes += bytes;
    Buffer* best = nullptr;
    for (const auto& buffer : *m_buffers) {
        const bool fits =
            !buffer->claimed && buffer->bytes >= bytes && buffer->bytes <= bytes * kLargestWaste;
        if (fits && (best == nullptr || buffer->bytes < best->bytes))
            best = buffer.get();
    }
    return best == nullptr ? addBuffer(bytes) : handOut(m_buffers, best);
}

BufferPool::Claim BufferPool::claimNew(std::size_t bytes)
{
    m_claimedBytes += bytes;
    return addBuffer(bytes);
}

BufferPool::Claim BufferPool::addBuffer(std::size_t bytes)
{
    auto buffer = std::make_unique<Buffer>();
    buffer->memory.reset(new (kAlignment) std::byte[bytes]);
    buffer->bytes = bytes;
    std::memset(buffer->memory.get(), 0, bytes);
    return handOut(m_buffers, m_buffers->emplace_back(std::move(buffer)).get());
}

BufferPool::Claim BufferPool::handOut(const std::shared_ptr<Buffers>& buffers, Buffer* buffer)
{
    buffer->claimed = true;
    return {buffer->memory.get(), [buffers, buffer](std::byte*) { buffer->claimed = false; }};
}

std::size_t BufferPool::bytes() const
{
    std::size_t total = 0;
    for (const auto& buffer : *m_buffers)
        total += buffer->bytes;
    return total;
}

DnnlPlan planTrainingStep(const Network& network, const StepShape& shape)
{
    if (network.layers.empty() || network.layers.back().kind != LayerKind::Dense)
        throw std::invalid_argument("network " + network.name + ": the last layer must be dense");
    DnnlPlan plan;
    DnnlBuilder builder(plan, network, shape);
    Layers layers;
    for (int index = 0; index < static_cast<int>(network.layers.size()); ++index)
        layers.push_back(makeDnnlLayer(network.layers[static_cast<std::size_t>(index)], index));
    addForward(plan, builder, layers);
    plan.forwardBytes = plan.buffers.bytes();
    placeParameters(plan);
    addBackward(plan, builder, layers, parametersOf(network, shape.image));
    plan.layoutHash = hashLayouts(plan.parameters);
    return plan;
}

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

DnnlParameter& DnnlBuilder::addParameter(const memory::desc& layout, const memory::desc& plain)
{
    const memory::desc& stored = onednn::dataType(layout) == memory::data_type::f32 ? layout : plain;
    m_plan.parameters.push_back({memory(stored, engine(), DNNL_MEMORY_NONE),
                                 memory(stored, engine(), DNNL_MEMORY_NONE),
                                 plain,
                                 {0, stored.get_size() / sizeof(float)}});
    return m_plan.parameters.back();
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

GradientBuffer DnnlBuilder::newGradient(const memory::desc& desc)
{
    BufferPool::Claim claim = claimFor(desc);
    return {memory(desc, engine(), claim.get()), std::move(claim)};
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
