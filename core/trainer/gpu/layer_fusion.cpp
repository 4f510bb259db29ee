// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/gpu/layer_fusion.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace quadric::trainer::cuda {

namespace {

int readersOf(const Network& network, int value)
{
    int readers = 0;
    for (const Layer& layer : network.layers)
        readers += (layer.input == value ? 1 : 0) + (layer.shortcut == value ? 1 : 0);
    return readers;
}

const Layer& layerAt(const Network& network, int index)
{
    return network.layers[static_cast<std::size_t>(index)];
}

/// Whether the layer is a batch normalization that only serves as the first summand of a sum.
bool belongsToSum(const Network& network, int index)
{
    const auto isItsSum = [index](const Layer& layer) {
        return layer.kind == LayerKind::Add && layer.input == index && layer.shortcut != index;
    };
    const Layer& layer = layerAt(network, index);
    return layer.kind == LayerKind::BatchNorm && !layer.relu && readersOf(network, index) == 1 &&
           std::ranges::any_of(network.layers, isItsSum);
}

FusedLayer fusedSum(const Network& network, int index)
{
    const Layer& sum = layerAt(network, index);
    if (sum.input == kImages || sum.shortcut == kImages || !belongsToSum(network, sum.input))
        throw std::invalid_argument("layer " + sum.name +
                                    ": the first summand must be a batch normalization without ReLU that "
                                    "nothing else reads, the second one a layer");
    FusedLayer fused{layerAt(network, sum.input), index, sum.input, {}, {}};
    fused.layer.name += "+" + sum.name;
    fused.layer.shortcut = sum.shortcut;
    fused.layer.relu = sum.relu;
    return fused;
}

std::vector<int> readForward(const FusedLayer& fused)
{
    std::vector<int> values;
    for (const int value : {fused.layer.input, fused.layer.shortcut}) {
        if (value != kImages)
            values.push_back(value);
    }
    return values;
}

std::vector<int> readBackward(const FusedLayer& fused)
{
    std::vector<int> values;
    const LayerKind kind = fused.layer.kind;
    const bool readsInput = kind != LayerKind::MaxPool && kind != LayerKind::AveragePool;
    if (readsInput && fused.layer.input != kImages)
        values.push_back(fused.layer.input);
    if (kind == LayerKind::BatchNorm && fused.layer.relu)
        values.push_back(fused.output);
    return values;
}

/// Positions count the forward passes up, then the backward passes.
void findLastReaders(std::vector<FusedLayer>& layers)
{
    const std::size_t count = layers.size();
    std::map<int, std::size_t> last;
    for (std::size_t i = 0; i < count; ++i) {
        last[layers[i].output] = i;
        for (const int value : readForward(layers[i]))
            last[value] = i;
    }
    for (std::size_t i = count; i-- > 0;) {
        for (const int value : readBackward(layers[i]))
            last[value] = 2 * count - 1 - i;
    }
    if (count > 0)
        last[layers.back().output] = count; // the loss reads the outputs when it makes the first gradient
    for (const auto& [value, position] : last) {
        if (position < count)
            layers[position].readLast.push_back(value);
        else
            layers[2 * count - 1 - position].readLastBackward.push_back(value);
    }
}

} // namespace

std::vector<FusedLayer> fuseSums(const Network& network)
{
    std::vector<FusedLayer> layers;
    for (int index = 0; index < static_cast<int>(network.layers.size()); ++index) {
        const Layer& layer = layerAt(network, index);
        if (layer.kind == LayerKind::Add)
            layers.push_back(fusedSum(network, index));
        else if (!belongsToSum(network, index))
            layers.push_back({layer, index, index, {}, {}});
    }
    findLastReaders(layers);
    return layers;
}

} // namespace quadric::trainer::cuda
