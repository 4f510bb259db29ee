// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/dnnl_builder.h"

#include <algorithm>

namespace quadric::trainer {

using dnnl::memory;

namespace {

bool hasAvx512()
{
    using Isa = dnnl::cpu_isa;
    constexpr Isa kWide[] = {Isa::avx512_core, Isa::avx512_core_vnni, Isa::avx512_core_bf16,
                             Isa::avx512_core_amx};
    return std::ranges::find(kWide, dnnl::get_effective_cpu_isa()) != std::end(kWide);
}

DnnlOp reorderOp(const memory& from, const memory& to)
{
    return {dnnl::reorder(from, to), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}}};
}

} // namespace

bool isReferenceImplementation(const std::string& name)
{
    return name.starts_with("ref") || name.find(":ref") != std::string::npos;
}

DnnlBuilder::DnnlBuilder(DnnlPlan& plan, const Network& network, Shape image, int batch)
    : m_plan(plan)
    , m_shapes(inferShapes(network, image))
    , m_image(image)
    , m_batch(batch)
    , m_blockedTag(hasAvx512() ? memory::format_tag::nChw16c : memory::format_tag::nChw8c)
    , m_activations(network.layers.size())
    , m_gradients(network.layers.size())
{
    m_plan.images = newMemory({{batch, image.channels, image.height, image.width},
                               memory::data_type::f32,
                               memory::format_tag::nchw});
}

const Shape& DnnlBuilder::shapeOf(int value) const
{
    return value == kImages ? m_image : m_shapes.at(static_cast<std::size_t>(value));
}

memory DnnlBuilder::activation(int value) const
{
    return value == kImages ? m_plan.images : m_activations.at(static_cast<std::size_t>(value));
}

memory::desc DnnlBuilder::blocked(const Shape& shape) const
{
    return {{m_batch, shape.channels, shape.height, shape.width}, memory::data_type::f32, m_blockedTag};
}

memory DnnlBuilder::newMemory(const memory::desc& desc)
{
    m_plan.claims.push_back(m_plan.buffers.claim(desc.get_size()));
    return {desc, engine(), m_plan.claims.back().get()};
}

void DnnlBuilder::setActivation(int value, const memory& memory)
{
    m_activations.at(static_cast<std::size_t>(value)) = memory;
}

DnnlParameter& DnnlBuilder::addParameter(const memory::desc& layout, const memory::desc& plain)
{
    m_plan.parameters.push_back({memory(layout, engine(), DNNL_MEMORY_NONE),
                                 memory(layout, engine(), DNNL_MEMORY_NONE),
                                 plain,
                                 {0, layout.get_size() / sizeof(float)}});
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

void DnnlBuilder::backwardReorder(const memory& from, const memory& to)
{
    m_plan.backward.back().ops.push_back(reorderOp(from, to));
}

GradientBuffer DnnlBuilder::newGradient(const memory::desc& desc)
{
    BufferPool::Claim claim = m_plan.buffers.claim(desc.get_size());
    return {memory(desc, engine(), claim.get()), std::move(claim)};
}

GradientBuffer DnnlBuilder::takeGradient(int value)
{
    return std::move(m_gradients.at(static_cast<std::size_t>(value)));
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
    const dnnl::binary::primitive_desc add({dnnl::algorithm::binary_add, desc, desc, desc}, engine());
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
