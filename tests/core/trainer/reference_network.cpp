// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference_network.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quadric::trainer::testing {

namespace {

using Tensor = std::vector<double>;

struct Map {
    int images = 0, channels = 0, height = 0, width = 0;
    Tensor values;

    Map(int n, int c, int h, int w)
        : images(n)
        , channels(c)
        , height(h)
        , width(w)
        , values(static_cast<std::size_t>(n) * c * h * w, 0.0)
    {
    }
    double& at(int n, int c, int y, int x)
    {
        return values[static_cast<std::size_t>(((n * channels + c) * height + y) * width + x)];
    }
    double at(int n, int c, int y, int x) const
    {
        return values[static_cast<std::size_t>(((n * channels + c) * height + y) * width + x)];
    }
    bool contains(int y, int x) const { return y >= 0 && y < height && x >= 0 && x < width; }
};

template <typename Function> void forEach(const Map& map, Function function)
{
    for (int n = 0; n < map.images; ++n)
        for (int c = 0; c < map.channels; ++c)
            for (int y = 0; y < map.height; ++y)
                for (int x = 0; x < map.width; ++x)
                    function(n, c, y, x);
}

int outputSize(int size, const Layer& layer)
{
    return (size + 2 * layer.padding - layer.kernel) / layer.stride + 1;
}

Map convolution(const Map& in, const Layer& layer, const Tensor& weights)
{
    Map out(in.images, layer.channels, outputSize(in.height, layer), outputSize(in.width, layer));
    forEach(out, [&](int n, int o, int y, int x) {
        double sum = 0.0;
        std::size_t weight = static_cast<std::size_t>(o) * in.channels * layer.kernel * layer.kernel;
        for (int c = 0; c < in.channels; ++c)
            for (int dy = 0; dy < layer.kernel; ++dy)
                for (int dx = 0; dx < layer.kernel; ++dx, ++weight) {
                    const int sy = y * layer.stride - layer.padding + dy;
                    const int sx = x * layer.stride - layer.padding + dx;
                    if (in.contains(sy, sx))
                        sum += weights[weight] * in.at(n, c, sy, sx);
                }
        out.at(n, o, y, x) = sum;
    });
    return out;
}

Map batchNorm(const Map& in, const Layer& layer, const Tensor& scale, const Tensor& shift)
{
    const double count = static_cast<double>(in.images) * in.height * in.width;
    Tensor mean(static_cast<std::size_t>(in.channels), 0.0), variance(mean);
    forEach(in, [&](int n, int c, int y, int x) { mean[c] += in.at(n, c, y, x) / count; });
    forEach(in, [&](int n, int c, int y, int x) {
        variance[c] += std::pow(in.at(n, c, y, x) - mean[c], 2) / count;
    });
    Map out = in;
    forEach(in, [&](int n, int c, int y, int x) {
        const double normal = (in.at(n, c, y, x) - mean[c]) / std::sqrt(variance[c] + 1e-5);
        const double value = scale[c] * normal + shift[c];
        out.at(n, c, y, x) = layer.relu ? std::max(0.0, value) : value;
    });
    return out;
}

Map add(const Map& a, const Map& b, const Layer& layer)
{
    Map out = a;
    for (std::size_t i = 0; i < out.values.size(); ++i) {
        out.values[i] += b.values[i];
        if (layer.relu)
            out.values[i] = std::max(0.0, out.values[i]);
    }
    return out;
}

Map maxPool(const Map& in, const Layer& layer)
{
    Map out(in.images, in.channels, outputSize(in.height, layer), outputSize(in.width, layer));
    forEach(out, [&](int n, int c, int y, int x) {
        double largest = -std::numeric_limits<double>::infinity();
        for (int dy = 0; dy < layer.kernel; ++dy)
            for (int dx = 0; dx < layer.kernel; ++dx) {
                const int sy = y * layer.stride - layer.padding + dy;
                const int sx = x * layer.stride - layer.padding + dx;
                if (in.contains(sy, sx))
                    largest = std::max(largest, in.at(n, c, sy, sx));
            }
        out.at(n, c, y, x) = largest;
    });
    return out;
}

Map averagePool(const Map& in)
{
    Map out(in.images, in.channels, 1, 1);
    forEach(in, [&](int n, int c, int y, int x) {
        out.at(n, c, 0, 0) += in.at(n, c, y, x) / (in.height * in.width);
    });
    return out;
}

Map dense(const Map& in, const Layer& layer, const Tensor& weights, const Tensor& bias)
{
    Map out(in.images, layer.channels, 1, 1);
    const std::size_t inputs = in.values.size() / static_cast<std::size_t>(in.images);
    forEach(out, [&](int n, int o, int, int) {
        double sum = bias[o];
        for (std::size_t i = 0; i < inputs; ++i)
            sum += weights[o * inputs + i] * in.values[n * inputs + i];
        out.at(n, o, 0, 0) = sum;
    });
    return out;
}

double crossEntropy(const Map& logits, const std::vector<int>& labels)
{
    double total = 0.0;
    for (int n = 0; n < logits.images; ++n) {
        double sum = 0.0;
        for (int c = 0; c < logits.channels; ++c)
            sum += std::exp(logits.at(n, c, 0, 0));
        total += std::log(sum) - logits.at(n, labels[static_cast<std::size_t>(n)], 0, 0);
    }
    return total / logits.images;
}

} // namespace

double referenceLoss(const Network& network, const std::vector<Tensor>& parameters, const Batch& batch)
{
    Map images(batch.size, batch.shape.channels, batch.shape.height, batch.shape.width);
    images.values = batch.images;
    std::vector<Map> outputs;
    auto parameter = parameters.begin();
    for (const Layer& layer : network.layers) {
        const auto output = [&](int index) -> const Map& {
            return index == kImages ? images : outputs[index];
        };
        const Map& in = output(layer.input);
        switch (layer.kind) {
        case LayerKind::Convolution:
            outputs.push_back(convolution(in, layer, *parameter++));
            break;
        case LayerKind::BatchNorm:
            outputs.push_back(batchNorm(in, layer, parameter[0], parameter[1]));
            parameter += 2;
            break;
        case LayerKind::Add:
            outputs.push_back(add(in, output(layer.shortcut), layer));
            break;
        case LayerKind::MaxPool:
            outputs.push_back(maxPool(in, layer));
            break;
        case LayerKind::AveragePool:
            outputs.push_back(averagePool(in));
            break;
        case LayerKind::Dense:
            outputs.push_back(dense(in, layer, parameter[0], parameter[1]));
            parameter += 2;
            break;
        }
    }
    return crossEntropy(outputs.back(), batch.labels);
}

} // namespace quadric::trainer::testing
