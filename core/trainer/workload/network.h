// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/number_format.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quadric::trainer {

/// Index that stands for the images where a layer's input is asked for.
inline constexpr int kImages = -1;

enum class LayerKind { Convolution, BatchNorm, Add, MaxPool, AveragePool, Dense };

/// One layer as plain data. Convolutions have no bias, batch normalization has scale and shift, the dense
/// layer has both weights and bias.
struct Layer {
    LayerKind kind = LayerKind::Convolution;
    std::string name;
    int input = kImages;    ///< index of the layer whose output is read
    int shortcut = kImages; ///< Add only: index of the second summand
    int channels = 0;       ///< Convolution and Dense only: number of outputs
    int kernel = 1;
    int stride = 1;
    int padding = 0;
    bool relu = false; ///< BatchNorm and Add only: followed by max(0, x)
};

/// A classification network as plain data: the layers in the order in which they are computed.
struct Network {
    std::string name;
    int classes = 0;
    std::vector<Layer> layers;
};

/// Size of one image or of one feature map set.
struct Shape {
    int channels = 0;
    int height = 0;
    int width = 0;
    friend bool operator==(const Shape&, const Shape&) = default;
};

/// One trained tensor, in the plain order of its dimensions (output channels first).
struct Parameter {
    std::string name;
    int layer = 0;
    std::vector<std::int64_t> dims;
    std::size_t count() const;
};

/// The network of that name, or nothing when there is none: `resnet8` (three stages of one block with 32, 64
/// and 128 channels, ten classes, for quick studies), `resnet18`, `resnet34` and `resnet50` (He et al. 2015,
/// with the stride of a bottleneck in its 3×3 convolution, 1000 classes).
std::optional<Network> makeNetwork(std::string_view name);

/// Output shape of every layer. Throws std::invalid_argument when an image is too small for a layer or the
/// layers do not fit together.
std::vector<Shape> inferShapes(const Network& network, Shape image);

/// All trained tensors in network order: per layer weights, then bias; scale, then shift.
std::vector<Parameter> parametersOf(const Network& network, Shape image);

/// Numbers in each tensor.
std::vector<std::size_t> countsOf(std::span<const Parameter> parameters);

/// Multiply-accumulate operations of one forward pass of one image through convolutions and dense layers.
std::int64_t multiplyAccumulates(const Network& network, Shape image);

/// What a training step computes at once, and in which number format.
struct StepShape {
    Shape image;
    int batch = 1;
    Precision precision = Precision::Fp32;
};

} // namespace quadric::trainer
