// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/workload/network.h"

#include <functional>
#include <numeric>
#include <stdexcept>

namespace quadric::trainer {

namespace {

constexpr int kImageNetClasses = 1000;
constexpr int kSmallClasses = 10;
constexpr int kBottleneckExpansion = 4;

/// Appends layers and returns their indices.
class NetworkBuilder {
public:
    NetworkBuilder(std::string name, int classes)
        : m_network{std::move(name), classes, {}}
    {
    }

    int convolution(const std::string& name, int input, int channels, int kernel, int stride)
    {
        return append({.kind = LayerKind::Convolution,
                       .name = name,
                       .input = input,
                       .channels = channels,
                       .kernel = kernel,
                       .stride = stride,
                       .padding = kernel / 2});
    }
    int batchNorm(const std::string& name, int input, bool relu)
    {
        return append({.kind = LayerKind::BatchNorm, .name = name, .input = input, .relu = relu});
    }
    /// Convolution, batch normalization and, where asked for, ReLU.
    int unit(const std::string& name, int input, int channels, int kernel, int stride, bool relu)
    {
        return batchNorm(name + ".bn", convolution(name + ".conv", input, channels, kernel, stride), relu);
    }
    int add(const std::string& name, int input, int shortcut)
    {
        return append(
            {.kind = LayerKind::Add, .name = name, .input = input, .shortcut = shortcut, .relu = true});
    }
    int maxPool(const std::string& name, int input)
    {
        return append({.kind = LayerKind::MaxPool,
                       .name = name,
                       .input = input,
                       .kernel = 3,
                       .stride = 2,
                       .padding = 1});
    }
    void classifier(int input)
    {
        const int pooled = append({.kind = LayerKind::AveragePool, .name = "pool", .input = input});
        append(
            {.kind = LayerKind::Dense, .name = "classifier", .input = pooled, .channels = m_network.classes});
    }
    Network take() { return std::move(m_network); }

private:
    int append(Layer layer)
    {
        m_network.layers.push_back(std::move(layer));
        return static_cast<int>(m_network.layers.size()) - 1;
    }
    Network m_network;
};

struct BlockShape {
    int inputChannels = 0;
    int channels = 0;
    int stride = 1;
};

int basicBlock(NetworkBuilder& build, const std::string& name, int input, const BlockShape& shape)
{
    int main = build.unit(name + ".1", input, shape.channels, 3, shape.stride, true);
    main = build.unit(name + ".2", main, shape.channels, 3, 1, false);
    const bool sameShape = shape.stride == 1 && shape.inputChannels == shape.channels;
    const int shortcut =
        sameShape ? input : build.unit(name + ".down", input, shape.channels, 1, shape.stride, false);
    return build.add(name + ".add", main, shortcut);
}

int bottleneckBlock(NetworkBuilder& build, const std::string& name, int input, const BlockShape& shape)
{
    const int outputs = shape.channels * kBottleneckExpansion;
    int main = build.unit(name + ".1", input, shape.channels, 1, 1, true);
    main = build.unit(name + ".2", main, shape.channels, 3, shape.stride, true);
    main = build.unit(name + ".3", main, outputs, 1, 1, false);
    const bool sameShape = shape.stride == 1 && shape.inputChannels == outputs;
    const int shortcut =
        sameShape ? input : build.unit(name + ".down", input, outputs, 1, shape.stride, false);
    return build.add(name + ".add", main, shortcut);
}

struct StagePlan {
    std::vector<int> blocks;
    int channels = 64; ///< of the first stage; each further stage doubles it
    bool bottleneck = false;
};

int stages(NetworkBuilder& build, int input, int inputChannels, const StagePlan& plan)
{
    int channels = plan.channels;
    for (std::size_t stage = 0; stage < plan.blocks.size(); ++stage) {
        for (int block = 0; block < plan.blocks[stage]; ++block) {
            const std::string name = "stage" + std::to_string(stage + 1) + "." + std::to_string(block + 1);
            const BlockShape shape{inputChannels, channels, stage > 0 && block == 0 ? 2 : 1};
            input = plan.bottleneck ? bottleneckBlock(build, name, input, shape)
                                    : basicBlock(build, name, input, shape);
            inputChannels = plan.bottleneck ? channels * kBottleneckExpansion : channels;
        }
        channels *= 2;
    }
    return input;
}

Network imageNetResnet(const std::string& name, const StagePlan& plan)
{
    NetworkBuilder build(name, kImageNetClasses);
    int value = build.unit("stem", kImages, plan.channels, 7, 2, true);
    value = build.maxPool("stem.pool", value);
    build.classifier(stages(build, value, plan.channels, plan));
    return build.take();
}

Network smallResnet(const std::string& name)
{
    const StagePlan plan{.blocks = {1, 1, 1}, .channels = 32, .bottleneck = false};
    NetworkBuilder build(name, kSmallClasses);
    const int stem = build.unit("stem", kImages, plan.channels, 3, 1, true);
    build.classifier(stages(build, stem, plan.channels, plan));
    return build.take();
}

struct Recipe {
    std::string name;
    std::function<Network(const std::string&)> make;
};

const std::vector<Recipe>& recipes()
{
    static const std::vector<Recipe> all = {
        {"resnet8", smallResnet},
        {"resnet18",
         [](const auto& name) {
             return imageNetResnet(name, {{2, 2, 2, 2}, 64, false});
         }},
        {"resnet34",
         [](const auto& name) {
             return imageNetResnet(name, {{3, 4, 6, 3}, 64, false});
         }},
        {"resnet50",
         [](const auto& name) {
             return imageNetResnet(name, {{3, 4, 6, 3}, 64, true});
         }},
    };
    return all;
}

Shape windowed(const Layer& layer, const Shape& in, int channels)
{
    const auto reduced = [&](int size) {
        const int span = size + 2 * layer.padding - layer.kernel;
        return span < 0 ? 0 : span / layer.stride + 1;
    };
    const Shape out{channels, reduced(in.height), reduced(in.width)};
    if (out.height < 1 || out.width < 1)
        throw std::invalid_argument("layer " + layer.name + ": the image is too small");
    return out;
}

Shape outputShape(const Layer& layer, const Shape& in, const Shape& shortcut)
{
    switch (layer.kind) {
    case LayerKind::Convolution:
        return windowed(layer, in, layer.channels);
    case LayerKind::MaxPool:
        return windowed(layer, in, in.channels);
    case LayerKind::BatchNorm:
        return in;
    case LayerKind::Add:
        if (in != shortcut)
            throw std::invalid_argument("layer " + layer.name + ": the two summands differ in shape");
        return in;
    case LayerKind::AveragePool:
        return {in.channels, 1, 1};
    case LayerKind::Dense:
        return {layer.channels, 1, 1};
    }
    throw std::invalid_argument("layer " + layer.name + ": unknown kind");
}

} // namespace

std::size_t Parameter::count() const
{
    return static_cast<std::size_t>(
        std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>()));
}

std::optional<Network> makeNetwork(std::string_view name)
{
    for (const Recipe& recipe : recipes()) {
        if (recipe.name == name)
            return recipe.make(recipe.name);
    }
    return std::nullopt;
}

std::vector<Shape> inferShapes(const Network& network, Shape image)
{
    std::vector<Shape> shapes;
    const auto at = [&](int index, const Layer& layer) -> const Shape& {
        if (index == kImages)
            return image;
        if (index < 0 || index >= static_cast<int>(shapes.size()))
            throw std::invalid_argument("layer " + layer.name + ": reads a layer that is not before it");
        return shapes[static_cast<std::size_t>(index)];
    };
    for (const Layer& layer : network.layers)
        shapes.push_back(outputShape(layer, at(layer.input, layer), at(layer.shortcut, layer)));
    return shapes;
}

std::vector<Parameter> parametersOf(const Network& network, Shape image)
{
    const std::vector<Shape> shapes = inferShapes(network, image);
    std::vector<Parameter> parameters;
    for (int index = 0; index < static_cast<int>(network.layers.size()); ++index) {
        const Layer& layer = network.layers[static_cast<std::size_t>(index)];
        const Shape in = layer.input == kImages ? image : shapes[static_cast<std::size_t>(layer.input)];
        const std::int64_t inputs = in.channels;
        const std::int64_t outputs = layer.channels;
        if (layer.kind == LayerKind::Convolution) {
            parameters.push_back(
                {layer.name + ".weight", index, {outputs, inputs, layer.kernel, layer.kernel}});
        } else if (layer.kind == LayerKind::BatchNorm) {
            parameters.push_back({layer.name + ".scale", index, {inputs}});
            parameters.push_back({layer.name + ".shift", index, {inputs}});
        } else if (layer.kind == LayerKind::Dense) {
            parameters.push_back({layer.name + ".weight", index, {outputs, inputs, in.height, in.width}});
            parameters.push_back({layer.name + ".bias", index, {outputs}});
        }
    }
    return parameters;
}

std::vector<std::size_t> countsOf(std::span<const Parameter> parameters)
{
    std::vector<std::size_t> counts;
    counts.reserve(parameters.size());
    for (const Parameter& parameter : parameters)
        counts.push_back(parameter.count());
    return counts;
}

std::int64_t multiplyAccumulates(const Network& network, Shape image)
{
    const std::vector<Shape> shapes = inferShapes(network, image);
    std::int64_t total = 0;
    for (const Parameter& parameter : parametersOf(network, image)) {
        if (parameter.dims.size() < 2)
            continue;
        const Shape& out = shapes[static_cast<std::size_t>(parameter.layer)];
        total += static_cast<std::int64_t>(parameter.count()) * out.height * out.width;
    }
    return total;
}

} // namespace quadric::trainer
