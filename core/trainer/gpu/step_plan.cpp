// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/gpu/step_plan.h"

#include "core/trainer/exchange/bucket_exchange.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <stdexcept>

namespace quadric::trainer::cuda {

namespace {

/// A layer of the network, or a batch normalization with the sum behind it. `layer.shortcut` is the second
/// summand, kImages where there is none.
struct FusedLayer {
    Layer layer;
    int output = 0;                    ///< index of the network's layer whose output it computes
    int parameterLayer = 0;            ///< index of the network's layer whose parameters it has
    std::vector<int> readLast;         ///< outputs that nothing reads after its forward pass
    std::vector<int> readLastBackward; ///< outputs that nothing reads after its backward pass
};

int countReaders(const Network& network, int value)
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
    return layer.kind == LayerKind::BatchNorm && !layer.relu && countReaders(network, index) == 1 &&
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

/// Joins every sum with the batch normalization that is its first summand, and finds out for each output
/// where it is read for the last time: convolutions and the dense layer need their input again in the
/// backward pass, a batch normalization its input and, with ReLU, its output. Throws std::invalid_argument
/// for other sums.
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

    void addForward(std::size_t index)
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

    void addBackward(std::size_t index)
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
    void planGradients(const FusedLayer& fused, PlannedLayer& planned)
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

    void give(int value, const Block& gradient) { m_gradients[value].push_back(gradient); }

    /// Buckets leave in their own order, and only when all their gradients are final.
    void finishBuckets(const FusedLayer& fused, PlannedLayer& planned)
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

    std::vector<FusedLayer> m_fused;
    std::vector<Shape> m_shapes; ///< by layer of the network
    StepPlan m_plan;
    OffsetAllocator m_blocks;
    std::map<int, Block> m_values; ///< outputs by layer of the network
    std::map<int, std::vector<Block>> m_gradients;
    std::vector<bool> m_isFinal; ///< by parameter
    std::size_t m_nextBucket = 0;
};

constexpr std::int64_t kFloat = 4;
constexpr std::int64_t kMib = 1 << 20;
constexpr std::int64_t kContext = 600 * kMib; ///< CUDA, kernels of cuDNN and cuBLASLt
constexpr std::int64_t kScratch = 512 * kMib; ///< of the convolutions; they take more where it is free
constexpr std::size_t kMostScratch = std::size_t{2} << 30;

/// What NCCL takes for itself. Users report 544 MiB for two ranks and 688 MiB to 1.06 GB for more (NCCL
/// issues 964 and 1685); a run records what it really was.
std::int64_t ncclBytes(int ranks)
{
    return (ranks > 2 ? 1200 : 600) * kMib;
}

/// The messages of one bucket: buckets use the same memory one after the other.
std::int64_t messageBytes(const Workload& workload, std::size_t largestBucket)
{
    const auto number = static_cast<std::int64_t>(bytesOf(workload.exchange.wire));
    if (workload.exchange.compressionPct <= 0.0)
        return workload.exchange.wire == WireType::Fp32 ? 0
                                                        : number * static_cast<std::int64_t>(largestBucket);
    const auto sent = static_cast<std::int64_t>(sentEntries(largestBucket, workload.exchange.compressionPct));
    return sent * (kFloat + number) * (1 + workload.ranks);
}

} // namespace

Block OffsetAllocator::allocate(std::size_t bytes)
{
    const std::size_t size = std::max(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
    auto best = m_free.end();
    for (auto stretch = m_free.begin(); stretch != m_free.end(); ++stretch) {
        if (stretch->second >= size && (best == m_free.end() || stretch->second < best->second))
            best = stretch;
    }
    std::size_t offset = m_end;
    if (best != m_free.end()) {
        offset = best->first;
        const std::size_t rest = best->second - size;
        m_free.erase(best);
        if (rest > 0)
            m_free[offset + size] = rest;
    } else if (!m_free.empty() && std::prev(m_free.end())->first + std::prev(m_free.end())->second == m_end) {
        offset = std::prev(m_free.end())->first; // the last stretch is free: it only has to grow
        m_free.erase(offset);
        m_end = offset + size;
    } else {
        m_end += size;
    }
    m_used[offset] = size;
    return {offset, bytes};
}

void OffsetAllocator::release(const Block& block)
{
    const auto used = m_used.find(block.offset);
    if (used == m_used.end())
        throw std::logic_error("released a stretch of the arena that nobody has");
    auto stretch = m_free.emplace(used->first, used->second).first;
    m_used.erase(used);
    if (const auto next = std::next(stretch);
        next != m_free.end() && stretch->first + stretch->second == next->first) {
        stretch->second += next->second;
        m_free.erase(next);
    }
    if (stretch == m_free.begin())
        return;
    const auto before = std::prev(stretch);
    if (before->first + before->second == stretch->first) {
        before->second += stretch->second;
        m_free.erase(stretch);
    }
}

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

std::size_t workspaceLimit(std::size_t free)
{
    return std::min(std::bit_floor(free / 2), kMostScratch);
}

MemoryEstimate estimateGpuMemory(const Workload& workload, const Network& network)
{
    constexpr double kBytesPerMib = 1024.0 * 1024.0;
    const StepShape shape{
        {3, workload.imageSize, workload.imageSize}, workload.batchPerRank, workload.precision};
    const StepPlan plan =
        planStep(network, shape, static_cast<std::size_t>(workload.bucketMib * kBytesPerMib));
    const auto number = static_cast<std::int64_t>(bytesOf(workload.precision));
    const auto parameters = static_cast<std::int64_t>(plan.parameterCount());
    const std::int64_t copies = storedAs(workload.precision) == Precision::Fp32 ? number : 2 * number;
    std::size_t largest = 0;
    for (const Bucket& bucket : plan.buckets)
        largest = std::max(largest, bucket.count);

    MemoryEstimate estimate;
    estimate.activations = static_cast<std::int64_t>(plan.arenaBytes) +
                           number * workload.batchPerRank * 3 * workload.imageSize * workload.imageSize;
    estimate.parameters = parameters * (3 * kFloat + copies);
    if (workload.ranks > 1) {
        const bool isCompressed = workload.exchange.compressionPct > 0.0;
        estimate.exchange = ncclBytes(workload.ranks) + (isCompressed ? kFloat * parameters : 0) +
                            messageBytes(workload, largest);
    }
    estimate.process = kContext + kScratch;
    return estimate;
}

} // namespace quadric::trainer::cuda
