// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cpu/dnnl_plan.h"

#include "core/trainer/base/hash.h"
#include "core/trainer/cpu/dnnl_builder.h"
#include "core/trainer/cpu/dnnl_layers.h"

#include <stdexcept>

namespace quadric::trainer {

namespace {

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

} // namespace quadric::trainer
