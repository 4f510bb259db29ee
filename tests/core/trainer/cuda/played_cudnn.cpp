// SPDX-License-Identifier: GPL-3.0-or-later
// cuDNN's graph API of the played GPU: convolutions with plain loops over the strides that the descriptors
// give. Types and counts of the attributes are compared with what NVIDIA documents for each.
#include "core/trainer/base/number_format.h"

#include "played_gpu.h"

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <set>

#include <cudnn.h>

using namespace quadric::trainer;
using namespace quadric::trainer::testing;

struct cudnnContext {
    cudaStream_t stream = nullptr;
};

namespace {

struct Attribute {
    cudnnBackendAttributeType_t type;
    std::int64_t count;
    std::vector<std::byte> bytes;
};

struct Descriptor {
    cudnnBackendDescriptorType_t type;
    std::map<int, Attribute> attributes;
    bool isFinished = false;
    int engine = 0; ///< of configurations and plans: the place in the ranking

    template <typename Value> Value get(int name, std::size_t index = 0) const
    {
        Value value{};
        std::memcpy(&value, attributes.at(name).bytes.data() + index * sizeof(Value), sizeof(Value));
        return value;
    }
    const Descriptor& part(int name) const { return *get<Descriptor*>(name); }
};

/// What an attribute must look like; a count of 0 means one or more.
struct Rule {
    cudnnBackendAttributeType_t type;
    std::int64_t count;
};
using Rules = std::map<int, Rule>;

Rules operationRules(int convolution, int x, int w, int y, int alpha, int beta)
{
    return {{convolution, {CUDNN_TYPE_BACKEND_DESCRIPTOR, 1}},
            {x, {CUDNN_TYPE_BACKEND_DESCRIPTOR, 1}},
            {w, {CUDNN_TYPE_BACKEND_DESCRIPTOR, 1}},
            {y, {CUDNN_TYPE_BACKEND_DESCRIPTOR, 1}},
            {alpha, {CUDNN_TYPE_FLOAT, 1}},
            {beta, {CUDNN_TYPE_FLOAT, 1}}};
}

/// All attributes that a descriptor of this kind must have before it is finished.
const Rules& rulesOf(cudnnBackendDescriptorType_t type)
{
    static const std::map<int, Rules> all = {
        {CUDNN_BACKEND_TENSOR_DESCRIPTOR,
         {{CUDNN_ATTR_TENSOR_DATA_TYPE, {CUDNN_TYPE_DATA_TYPE, 1}},
          {CUDNN_ATTR_TENSOR_DIMENSIONS, {CUDNN_TYPE_INT64, 4}},
          {CUDNN_ATTR_TENSOR_STRIDES, {CUDNN_TYPE_INT64, 4}},
          {CUDNN_ATTR_TENSOR_UNIQUE_ID, {CUDNN_TYPE_INT64, 1}},
          {CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, {CUDNN_TYPE_INT64, 1}}}},
        {CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR,
         {{CUDNN_ATTR_CONVOLUTION_COMP_TYPE, {CUDNN_TYPE_DATA_TYPE, 1}},
          {CUDNN_ATTR_CONVOLUTION_CONV_MODE, {CUDNN_TYPE_CONVOLUTION_MODE, 1}},
          {CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, {CUDNN_TYPE_INT64, 1}},
          {CUDNN_ATTR_CONVOLUTION_DILATIONS, {CUDNN_TYPE_INT64, 2}},
          {CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, {CUDNN_TYPE_INT64, 2}},
          {CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, {CUDNN_TYPE_INT64, 2}},
          {CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, {CUDNN_TYPE_INT64, 2}}}},
        {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
         operationRules(
             CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
             CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
             CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA)},
        {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
         operationRules(
             CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
             CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
             CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
             CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA)},
        {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
         operationRules(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
                        CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
                        CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
                        CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
                        CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
                        CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA)},
        {CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR,
         {{800 /* handle */, {CUDNN_TYPE_HANDLE, 1}},
          {CUDNN_ATTR_OPERATIONGRAPH_OPS, {CUDNN_TYPE_BACKEND_DESCRIPTOR, 0}}}},
        {CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR,
         {{CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, {CUDNN_TYPE_BACKEND_DESCRIPTOR, 1}},
          {CUDNN_ATTR_ENGINEHEUR_MODE, {CUDNN_TYPE_HEUR_MODE, 1}}}},
        {CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR,
         {{400 /* handle */, {CUDNN_TYPE_HANDLE, 1}},
          {CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, {CUDNN_TYPE_BACKEND_DESCRIPTOR, 1}}}},
        {CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR,
         {{CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, {CUDNN_TYPE_INT64, 3}},
          {CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, {CUDNN_TYPE_VOID_PTR, 3}},
          {CUDNN_ATTR_VARIANT_PACK_WORKSPACE, {CUDNN_TYPE_VOID_PTR, 1}}}}};
    static const Rules none;
    const auto found = all.find(type);
    return found == all.end() ? none : found->second;
}

std::size_t sizeOf(cudnnBackendAttributeType_t type)
{
    switch (type) {
    case CUDNN_TYPE_INT64:
    case CUDNN_TYPE_VOID_PTR:
    case CUDNN_TYPE_HANDLE:
    case CUDNN_TYPE_BACKEND_DESCRIPTOR:
        return 8;
    default:
        return 4;
    }
}

/// A tensor as the descriptor says it lies in memory.
struct View {
    std::byte* data = nullptr;
    cudnnDataType_t type = CUDNN_DATA_FLOAT;
    std::array<std::int64_t, 4> dims{}, strides{};

    std::int64_t place(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) const
    {
        return a * strides[0] + b * strides[1] + c * strides[2] + d * strides[3];
    }
    std::size_t numberBytes() const { return type == CUDNN_DATA_FLOAT ? 4 : 2; }
    float load(std::int64_t at) const
    {
        if (type == CUDNN_DATA_FLOAT)
            return reinterpret_cast<const float*>(data)[at];
        const std::uint16_t bits = reinterpret_cast<const std::uint16_t*>(data)[at];
        return type == CUDNN_DATA_HALF ? fromFp16(bits) : fromBf16(bits);
    }
    void store(std::int64_t at, float value) const
    {
        if (type == CUDNN_DATA_FLOAT)
            reinterpret_cast<float*>(data)[at] = value;
        else
            reinterpret_cast<std::uint16_t*>(data)[at] =
                type == CUDNN_DATA_HALF ? toFp16(value) : toBf16(value);
    }
    std::size_t bytes() const
    {
        return static_cast<std::size_t>(dims[0] * dims[1] * dims[2] * dims[3]) * numberBytes();
    }
};

struct Convolution {
    cudnnBackendDescriptorType_t pass;
    View x, w, y;
    std::int64_t stride = 1, padding = 0;
};

/// Calls function(n, k, p, q, c, r, s, h, w) for every product.
template <typename Function> void forProducts(const Convolution& c, const Function& function)
{
    for (std::int64_t n = 0; n < c.y.dims[0]; ++n)
        for (std::int64_t p = 0; p < c.y.dims[2]; ++p)
            for (std::int64_t q = 0; q < c.y.dims[3]; ++q)
                for (std::int64_t r = 0; r < c.w.dims[2]; ++r)
                    for (std::int64_t s = 0; s < c.w.dims[3]; ++s) {
                        const std::int64_t h = p * c.stride - c.padding + r;
                        const std::int64_t v = q * c.stride - c.padding + s;
                        if (h < 0 || h >= c.x.dims[2] || v < 0 || v >= c.x.dims[3])
                            continue;
                        for (std::int64_t k = 0; k < c.y.dims[1]; ++k)
                            for (std::int64_t i = 0; i < c.x.dims[1]; ++i)
                                function(c.x.place(n, i, h, v), c.w.place(k, i, r, s), c.y.place(n, k, p, q));
                    }
}

void convolve(const Convolution& c)
{
    const bool isForward = c.pass == CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR;
    const bool isToInput = c.pass == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR;
    const View& result = isForward ? c.y : isToInput ? c.x : c.w;
    std::vector<float> sums(result.bytes() / result.numberBytes(), 0.0F);
    forProducts(c, [&](std::int64_t x, std::int64_t w, std::int64_t y) {
        if (isForward)
            sums[static_cast<std::size_t>(y)] += c.x.load(x) * c.w.load(w);
        else if (isToInput)
            sums[static_cast<std::size_t>(x)] += c.w.load(w) * c.y.load(y);
        else
            sums[static_cast<std::size_t>(w)] += c.x.load(x) * c.y.load(y);
    });
    for (std::size_t i = 0; i < sums.size(); ++i)
        result.store(static_cast<std::int64_t>(i), sums[i]);
}

// As the real library ranks 32-bit problems on new GPUs: first those that round, many of them.
constexpr int kRoundingTo16Bits = 0;
constexpr int kExact = 24; ///< the first one; those before round to TF32
constexpr int kTooLarge = 25;
constexpr int kEngines = 26;

std::size_t workspaceOf(int engine)
{
    return engine == kTooLarge ? std::size_t{1} << 40 : engine == kRoundingTo16Bits ? 4096 : 0;
}

/// Configurations lead to the operation by way of the graph that the heuristics looked at.
std::map<const Descriptor*, const Descriptor*>& graphOfConfiguration()
{
    static thread_local std::map<const Descriptor*, const Descriptor*> graphs;
    return graphs;
}

View viewOf(const Descriptor& tensor, const std::map<std::int64_t, void*>& pointers)
{
    View view;
    view.type = tensor.get<cudnnDataType_t>(CUDNN_ATTR_TENSOR_DATA_TYPE);
    for (std::size_t i = 0; i < 4; ++i) {
        view.dims[i] = tensor.get<std::int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS, i);
        view.strides[i] = tensor.get<std::int64_t>(CUDNN_ATTR_TENSOR_STRIDES, i);
    }
    const auto found = pointers.find(tensor.get<std::int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID));
    view.data = found == pointers.end() ? nullptr : static_cast<std::byte*>(found->second);
    const auto alignment = tensor.get<std::int64_t>(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT);
    if (reinterpret_cast<std::uintptr_t>(view.data) % static_cast<std::uintptr_t>(alignment) != 0)
        noteViolation("a tensor of a convolution is less aligned than its descriptor says");
    if (!isDeviceMemory(view.data, view.bytes()))
        noteViolation("a tensor of a convolution lies outside of device memory");
    return view;
}

Convolution convolutionOf(const Descriptor& operation, const std::map<std::int64_t, void*>& pointers)
{
    Convolution made{operation.type, {}, {}, {}};
    const bool isForward = operation.type == CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR;
    const bool isToInput = operation.type == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR;
    const int x = isForward   ? CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X
                  : isToInput ? CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX
                              : CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X;
    const int w = isForward   ? CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W
                  : isToInput ? CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W
                              : CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW;
    const int y = isForward   ? CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y
                  : isToInput ? CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY
                              : CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY;
    const int how = isForward   ? CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC
                    : isToInput ? CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC
                                : CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC;
    made.x = viewOf(operation.part(x), pointers);
    made.w = viewOf(operation.part(w), pointers);
    made.y = viewOf(operation.part(y), pointers);
    made.stride = operation.part(how).get<std::int64_t>(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES);
    made.padding = operation.part(how).get<std::int64_t>(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS);
    return made;
}

} // namespace

extern "C" {

cudnnStatus_t cudnnCreate(cudnnHandle_t* handle)
{
    *handle = new cudnnContext;
    return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle)
{
    delete handle;
    return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream)
{
    handle->stream = stream;
    return CUDNN_STATUS_SUCCESS;
}
std::size_t cudnnGetVersion()
{
    return 91900;
}
const char* cudnnGetErrorString(cudnnStatus_t)
{
    return "of the played cuDNN";
}
cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type,
                                           cudnnBackendDescriptor_t* descriptor)
{
    *descriptor = new Descriptor{type, {}, false, 0};
    return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor)
{
    delete static_cast<Descriptor*>(descriptor);
    return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t to, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, std::int64_t count,
                                       const void* values)
{
    auto& descriptor = *static_cast<Descriptor*>(to);
    const Rules& rules = rulesOf(descriptor.type);
    const auto rule = rules.find(name);
    if (descriptor.isFinished)
        noteViolation("cuDNN: an attribute is set after its descriptor was finished");
    if (rule == rules.end() || rule->second.type != type ||
        (rule->second.count == 0 ? count < 1 : count != rule->second.count)) {
        noteViolation("cuDNN: attribute " + std::to_string(name) + " has a wrong type or count");
        return CUDNN_STATUS_BAD_PARAM;
    }
    if (type == CUDNN_TYPE_BACKEND_DESCRIPTOR && descriptor.type != CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR &&
        !(*static_cast<Descriptor* const*>(values))->isFinished)
        noteViolation("cuDNN: an unfinished descriptor is used");
    Attribute& attribute = descriptor.attributes[name];
    attribute = {type, count, std::vector<std::byte>(sizeOf(type) * static_cast<std::size_t>(count))};
    std::memcpy(attribute.bytes.data(), values, attribute.bytes.size());
    return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t which)
{
    auto& descriptor = *static_cast<Descriptor*>(which);
    for (const auto& [name, rule] : rulesOf(descriptor.type)) {
        if (!descriptor.attributes.contains(name))
            noteViolation("cuDNN: attribute " + std::to_string(name) + " is missing");
    }
    if (descriptor.type == CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR) {
        mustNotRecord("cudnnBackendFinalize of a plan");
        const Descriptor& configuration = descriptor.part(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
        descriptor.engine = configuration.engine;
        graphOfConfiguration()[&descriptor] = graphOfConfiguration().at(&configuration);
    }
    descriptor.isFinished = true;
    return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t from, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t, std::int64_t most, std::int64_t* count,
                                       void* values)
{
    const auto& descriptor = *static_cast<Descriptor*>(from);
    if (name == CUDNN_ATTR_ENGINEHEUR_RESULTS) {
        auto** found = static_cast<cudnnBackendDescriptor_t*>(values);
        *count = most == 0 ? kEngines : std::min<std::int64_t>(most, kEngines);
        for (std::int64_t i = 0; i < std::min(most, *count); ++i) {
            auto* configuration = static_cast<Descriptor*>(found[i]);
            configuration->engine = static_cast<int>(i);
            configuration->isFinished = true;
            graphOfConfiguration()[configuration] = &descriptor.part(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH);
        }
    } else if (name == CUDNN_ATTR_ENGINECFG_ENGINE) {
        static_cast<Descriptor*>(*static_cast<cudnnBackendDescriptor_t*>(values))->engine = descriptor.engine;
        *count = 1;
    } else if (name == CUDNN_ATTR_ENGINE_GLOBAL_INDEX) {
        *static_cast<std::int64_t*>(values) = 1000 + descriptor.engine;
        *count = 1;
    } else if (name == CUDNN_ATTR_ENGINECFG_KNOB_CHOICES) {
        static_cast<Descriptor*>(*static_cast<cudnnBackendDescriptor_t*>(values))->engine = descriptor.engine;
        *count = 1;
    } else if (name == CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE) {
        *static_cast<cudnnBackendKnobType_t*>(values) = CUDNN_KNOB_TYPE_SPLIT_K;
        *count = 1;
    } else if (name == CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE) {
        *static_cast<std::int64_t*>(values) = 7;
        *count = 1;
    } else if (name == CUDNN_ATTR_ENGINE_NUMERICAL_NOTE) {
        *count = descriptor.engine < kExact ? 1 : 0;
        if (*count == 1)
            *static_cast<cudnnBackendNumericalNote_t*>(values) =
                descriptor.engine == kRoundingTo16Bits ? CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS
                                                       : CUDNN_NUMERICAL_NOTE_TENSOR_CORE;
    } else if (name == CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE) {
        *static_cast<std::int64_t*>(values) = static_cast<std::int64_t>(workspaceOf(descriptor.engine));
        *count = 1;
    } else {
        noteViolation("cuDNN: attribute " + std::to_string(name) + " is asked for");
        return CUDNN_STATUS_BAD_PARAM;
    }
    return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t which,
                                  cudnnBackendDescriptor_t pack)
{
    const auto& plan = *static_cast<Descriptor*>(which);
    const auto& variant = *static_cast<Descriptor*>(pack);
    const Descriptor& graph = *graphOfConfiguration().at(&plan);
    const Descriptor& operation = graph.part(CUDNN_ATTR_OPERATIONGRAPH_OPS);
    std::map<std::int64_t, void*> pointers;
    for (std::size_t i = 0; i < 3; ++i)
        pointers[variant.get<std::int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, i)] =
            variant.get<void*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, i);
    const std::size_t needed = workspaceOf(plan.engine);
    auto* workspace = variant.get<std::byte*>(CUDNN_ATTR_VARIANT_PACK_WORKSPACE);
    if (needed > 0 && !isDeviceMemory(workspace, needed))
        noteViolation("cuDNN: the workspace is too small");
    const Convolution convolution = convolutionOf(operation, pointers);
    if (convolution.x.type == CUDNN_DATA_FLOAT && plan.engine == kRoundingTo16Bits)
        noteViolation("cuDNN: an engine that rounds to 16 bits is used");
    if (convolution.x.type == CUDNN_DATA_FLOAT && plan.engine < kExact)
        countCall("convolution in TF32");
    countCall("convolution with engine " + std::to_string(1000 + plan.engine));
    enqueue(handle->stream, [convolution, workspace, needed, engine = plan.engine] {
        convolve(convolution);
        playedClock() += engineMilliseconds()(engine);
        if (needed > 0)
            std::memset(workspace, 0xff, needed);
    });
    return CUDNN_STATUS_SUCCESS;
}
}
