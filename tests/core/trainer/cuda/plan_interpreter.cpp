// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_interpreter.h"

#include "core/trainer/cpu/sgd.h"
#include "core/trainer/gpu/kernel_math.h"

#include <algorithm>
#include <limits>

namespace quadric::trainer::testing {

using cuda::Block;
using cuda::PlannedLayer;

namespace {

std::size_t index(const Shape& shape, int n, int y, int x, int c)
{
    return static_cast<std::size_t>(((n * shape.height + y) * shape.width + x) * shape.channels + c);
}

/// Calls function(n, y, x, c) for every value of a map.
template <typename Function> void forEach(int batch, const Shape& shape, const Function& function)
{
    for (int n = 0; n < batch; ++n)
        for (int y = 0; y < shape.height; ++y)
            for (int x = 0; x < shape.width; ++x)
                for (int c = 0; c < shape.channels; ++c)
                    function(n, y, x, c);
}

/// Calls function(dy, dx, sy, sx) for every place of a window that lies in the input.
template <typename Function> void forWindow(const PlannedLayer& layer, int y, int x, const Function& function)
{
    for (int dy = 0; dy < layer.kernel; ++dy)
        for (int dx = 0; dx < layer.kernel; ++dx) {
            const int sy = y * layer.stride - layer.padding + dy;
            const int sx = x * layer.stride - layer.padding + dx;
            if (sy >= 0 && sy < layer.in.height && sx >= 0 && sx < layer.in.width)
                function(dy, dx, sy, sx);
        }
}

/// Place of a weight in the plain order: outputs × inputs × height × width.
std::size_t weightIndex(const PlannedLayer& layer, int o, int c, int dy, int dx)
{
    return static_cast<std::size_t>(((o * layer.in.channels + c) * layer.kernel + dy) * layer.kernel + dx);
}

} // namespace

PlanInterpreter::PlanInterpreter(const cuda::StepPlan& plan)
    : m_plan(plan)
    , m_arena(plan.arenaBytes / sizeof(float), std::numeric_limits<float>::quiet_NaN())
    , m_values(plan.parameters.size())
    , m_gradients(plan.parameters.size())
    , m_means(plan.channels)
    , m_deviations(plan.channels)
{
    for (std::size_t i = 0; i < plan.parameters.size(); ++i)
        m_values[i].resize(plan.parameters[i].count());
}

void PlanInterpreter::setValue(std::size_t parameter, std::span<const float> plain)
{
    m_values[parameter].assign(plain.begin(), plain.end());
}

std::vector<float> PlanInterpreter::gradient(std::size_t parameter) const
{
    return m_gradients[parameter];
}

float* PlanInterpreter::at(const Block& block)
{
    return m_arena.data() + block.offset / sizeof(float);
}

const float* PlanInterpreter::inputOf(const PlannedLayer& layer)
{
    return layer.input ? at(*layer.input) : m_images.data();
}

double PlanInterpreter::forward(std::span<const float> images, std::span<const int> labels)
{
    const Shape& shape = m_plan.shape.image;
    m_images.resize(images.size());
    forEach(m_plan.shape.batch, shape, [&](int n, int y, int x, int c) {
        m_images[index(shape, n, y, x, c)] =
            images[static_cast<std::size_t>(((n * shape.channels + c) * shape.height + y) * shape.width + x)];
    });
    for (const PlannedLayer& layer : m_plan.layers) {
        switch (layer.kind) {
        case LayerKind::Convolution:
            convolve(layer);
            break;
        case LayerKind::BatchNorm:
            normalize(layer);
            break;
        case LayerKind::MaxPool:
            pool(layer);
            break;
        case LayerKind::AveragePool:
            average(layer);
            break;
        case LayerKind::Dense:
            multiply(layer);
            break;
        case LayerKind::Add:
            break;
        }
    }
    return loss(labels);
}

void PlanInterpreter::backward()
{
    for (auto layer = m_plan.layers.rbegin(); layer != m_plan.layers.rend(); ++layer) {
        switch (layer->kind) {
        case LayerKind::Convolution:
            convolveBack(*layer);
            break;
        case LayerKind::BatchNorm:
            normalizeBack(*layer);
            break;
        case LayerKind::MaxPool:
            poolBack(*layer);
            break;
        case LayerKind::AveragePool:
            averageBack(*layer);
            break;
        case LayerKind::Dense:
            multiplyBack(*layer);
            break;
        case LayerKind::Add:
            break;
        }
    }
}

void PlanInterpreter::convolve(const PlannedLayer& layer)
{
    const float* in = inputOf(layer);
    float* out = at(layer.output);
    const std::vector<float>& weights = m_values[layer.parameter];
    forEach(m_plan.shape.batch, layer.out, [&](int n, int y, int x, int o) {
        double sum = 0.0;
        forWindow(layer, y, x, [&](int dy, int dx, int sy, int sx) {
            for (int c = 0; c < layer.in.channels; ++c)
                sum += double{weights[weightIndex(layer, o, c, dy, dx)]} * in[index(layer.in, n, sy, sx, c)];
        });
        out[index(layer.out, n, y, x, o)] = static_cast<float>(sum);
    });
}

void PlanInterpreter::normalize(const PlannedLayer& layer)
{
    const float* in = inputOf(layer);
    float* out = at(layer.output);
    const float* shortcut = layer.shortcut ? at(*layer.shortcut) : nullptr;
    const auto channels = static_cast<std::size_t>(layer.in.channels);
    std::vector<double> sums(channels, 0.0);
    std::vector<double> squares(channels, 0.0);
    forEach(m_plan.shape.batch, layer.in, [&](int n, int y, int x, int c) {
        const double value = in[index(layer.in, n, y, x, c)] - in[c];
        sums[static_cast<std::size_t>(c)] += value;
        squares[static_cast<std::size_t>(c)] += value * value;
    });
    const double count = double{1.0} * m_plan.shape.batch * layer.in.height * layer.in.width;
    for (std::size_t c = 0; c < channels; ++c) {
        const cuda::ChannelMoments moments = cuda::computeMoments(sums[c], squares[c], count, in[c]);
        m_means[layer.statistics + c] = moments.mean;
        m_deviations[layer.statistics + c] = moments.inverseDeviation;
    }
    forEach(m_plan.shape.batch, layer.in, [&](int n, int y, int x, int c) {
        const std::size_t i = index(layer.in, n, y, x, c);
        const std::size_t s = layer.statistics + static_cast<std::size_t>(c);
        const float value = cuda::normalized(in[i], {m_means[s], m_deviations[s]},
                                             m_values[layer.parameter][static_cast<std::size_t>(c)],
                                             m_values[layer.parameter + 1][static_cast<std::size_t>(c)]);
        out[i] = cuda::rectified(value + (shortcut == nullptr ? 0.0F : shortcut[i]), layer.relu);
    });
}

void PlanInterpreter::pool(const PlannedLayer& layer)
{
    const float* in = inputOf(layer);
    float* out = at(layer.output);
    auto* choices = reinterpret_cast<std::uint8_t*>(at(*layer.choices));
    forEach(m_plan.shape.batch, layer.out, [&](int n, int y, int x, int c) {
        const std::size_t o = index(layer.out, n, y, x, c);
        out[o] = -std::numeric_limits<float>::infinity();
        forWindow(layer, y, x, [&](int dy, int dx, int sy, int sx) {
            const float value = in[index(layer.in, n, sy, sx, c)];
            if (value > out[o]) {
                out[o] = value;
                choices[o] = static_cast<std::uint8_t>(dy * layer.kernel + dx);
            }
        });
    });
}

void PlanInterpreter::average(const PlannedLayer& layer)
{
    const float* in = inputOf(layer);
    float* out = at(layer.output);
    const auto area = static_cast<float>(layer.in.height * layer.in.width);
    std::fill_n(out, static_cast<std::size_t>(m_plan.shape.batch * layer.in.channels), 0.0F);
    forEach(m_plan.shape.batch, layer.in, [&](int n, int y, int x, int c) {
        out[index(layer.out, n, 0, 0, c)] += in[index(layer.in, n, y, x, c)] / area;
    });
}

void PlanInterpreter::multiply(const PlannedLayer& layer)
{
    const float* in = inputOf(layer);
    float* out = at(layer.output);
    const auto inputs = static_cast<std::size_t>(layer.in.channels);
    forEach(m_plan.shape.batch, layer.out, [&](int n, int, int, int o) {
        double sum = m_values[layer.parameter + 1][static_cast<std::size_t>(o)];
        for (std::size_t c = 0; c < inputs; ++c)
            sum += double{m_values[layer.parameter][static_cast<std::size_t>(o) * inputs + c]} *
                   in[static_cast<std::size_t>(n) * inputs + c];
        out[index(layer.out, n, 0, 0, o)] = static_cast<float>(sum);
    });
}

double PlanInterpreter::loss(std::span<const int> labels)
{
    const PlannedLayer& dense = m_plan.layers.back();
    const std::size_t count =
        static_cast<std::size_t>(m_plan.shape.batch) * static_cast<std::size_t>(m_plan.classes);
    return softmaxCrossEntropy({at(dense.output), count}, labels, {at(dense.outputGradients.front()), count});
}

std::vector<float> PlanInterpreter::outputGradient(const PlannedLayer& layer)
{
    const std::size_t count = index(layer.out, m_plan.shape.batch, 0, 0, 0);
    std::vector<float> sum(count, 0.0F);
    for (const Block& block : layer.outputGradients)
        for (std::size_t i = 0; i < count; ++i)
            sum[i] += at(block)[i];
    return sum;
}

void PlanInterpreter::convolveBack(const PlannedLayer& layer)
{
    const std::vector<float> gradient = outputGradient(layer);
    const float* in = inputOf(layer);
    const std::vector<float>& weights = m_values[layer.parameter];
    std::vector<float>& weightGradient = m_gradients[layer.parameter];
    weightGradient.assign(weights.size(), 0.0F);
    std::vector<float> inputGradient(index(layer.in, m_plan.shape.batch, 0, 0, 0), 0.0F);
    forEach(m_plan.shape.batch, layer.out, [&](int n, int y, int x, int o) {
        const float g = gradient[index(layer.out, n, y, x, o)];
        forWindow(layer, y, x, [&](int dy, int dx, int sy, int sx) {
            for (int c = 0; c < layer.in.channels; ++c) {
                const std::size_t w = weightIndex(layer, o, c, dy, dx);
                const std::size_t i = index(layer.in, n, sy, sx, c);
                weightGradient[w] += g * in[i];
                inputGradient[i] += g * weights[w];
            }
        });
    });
    if (layer.inputGradient)
        std::ranges::copy(inputGradient, at(*layer.inputGradient));
}

void PlanInterpreter::normalizeBack(const PlannedLayer& layer)
{
    std::vector<float> gradient = outputGradient(layer);
    const float* in = inputOf(layer);
    const float* out = at(layer.output);
    const auto channels = static_cast<std::size_t>(layer.in.channels);
    std::vector<double> sums(channels, 0.0);
    std::vector<double> products(channels, 0.0);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
        if (layer.relu)
            gradient[i] = cuda::gradientBeforeRelu(gradient[i], out[i], true);
        sums[i % channels] += gradient[i];
        products[i % channels] += double{gradient[i]} * (in[i] - m_means[layer.statistics + i % channels]);
    }
    std::vector<cuda::NormGradient> norms(channels);
    m_gradients[layer.parameter].resize(channels);
    m_gradients[layer.parameter + 1].resize(channels);
    for (std::size_t c = 0; c < channels; ++c) {
        const std::size_t s = layer.statistics + c;
        norms[c] =
            cuda::computeNormGradient(sums[c], products[c], static_cast<double>(gradient.size() / channels),
                                      {m_means[s], m_deviations[s]}, m_values[layer.parameter][c]);
        m_gradients[layer.parameter][c] = norms[c].scaleGradient;
        m_gradients[layer.parameter + 1][c] = norms[c].shiftGradient;
    }
    for (std::size_t i = 0; i < gradient.size(); ++i) {
        const std::size_t c = i % channels;
        const float x = in[i];
        if (layer.shortcutGradient)
            at(*layer.shortcutGradient)[i] = gradient[i];
        if (layer.inputGradient)
            at(*layer.inputGradient)[i] =
                cuda::inputGradient(gradient[i], x, m_means[layer.statistics + c], norms[c]);
    }
}

void PlanInterpreter::poolBack(const PlannedLayer& layer)
{
    const std::vector<float> gradient = outputGradient(layer);
    const auto* choices = reinterpret_cast<const std::uint8_t*>(at(*layer.choices));
    float* target = at(*layer.inputGradient);
    std::fill_n(target, index(layer.in, m_plan.shape.batch, 0, 0, 0), 0.0F);
    forEach(m_plan.shape.batch, layer.out, [&](int n, int y, int x, int c) {
        const std::size_t o = index(layer.out, n, y, x, c);
        const int sy = y * layer.stride - layer.padding + choices[o] / layer.kernel;
        const int sx = x * layer.stride - layer.padding + choices[o] % layer.kernel;
        target[index(layer.in, n, sy, sx, c)] += gradient[o];
    });
}

void PlanInterpreter::averageBack(const PlannedLayer& layer)
{
    const std::vector<float> gradient = outputGradient(layer);
    const auto area = static_cast<float>(layer.in.height * layer.in.width);
    forEach(m_plan.shape.batch, layer.in, [&](int n, int y, int x, int c) {
        at(*layer.inputGradient)[index(layer.in, n, y, x, c)] = gradient[index(layer.out, n, 0, 0, c)] / area;
    });
}

void PlanInterpreter::multiplyBack(const PlannedLayer& layer)
{
    const std::vector<float> gradient = outputGradient(layer);
    const float* in = inputOf(layer);
    const auto inputs = static_cast<std::size_t>(layer.in.channels);
    const auto outputs = static_cast<std::size_t>(layer.out.channels);
    const auto batch = static_cast<std::size_t>(m_plan.shape.batch);
    m_gradients[layer.parameter].assign(inputs * outputs, 0.0F);
    m_gradients[layer.parameter + 1].assign(outputs, 0.0F);
    float* target = at(*layer.inputGradient);
    std::fill_n(target, batch * inputs, 0.0F);
    for (std::size_t n = 0; n < batch; ++n)
        for (std::size_t o = 0; o < outputs; ++o) {
            const float g = gradient[n * outputs + o];
            m_gradients[layer.parameter + 1][o] += g;
            for (std::size_t c = 0; c < inputs; ++c) {
                m_gradients[layer.parameter][o * inputs + c] += g * in[n * inputs + c];
                target[n * inputs + c] += g * m_values[layer.parameter][o * inputs + c];
            }
        }
}

} // namespace quadric::trainer::testing
