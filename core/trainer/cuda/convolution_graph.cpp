// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/convolution_graph.h"

#include "core/trainer/cuda/kernels/check.h"

#include <algorithm>
#include <array>

namespace quadric::trainer::cuda {

namespace {

GraphDescriptor engineOf(const GraphDescriptor& configuration)
{
    GraphDescriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    cudnnBackendDescriptor_t handle = engine.get();
    std::int64_t found = 0;
    QUADRIC_CHECKED(cudnnBackendGetAttribute(configuration.get(), CUDNN_ATTR_ENGINECFG_ENGINE,
                                             CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &found, &handle));
    return engine;
}

std::vector<GraphDescriptor> knobsOf(const GraphDescriptor& configuration)
{
    std::vector<GraphDescriptor> knobs;
    std::vector<cudnnBackendDescriptor_t> handles;
    for (int i = 0; i < CUDNN_KNOB_TYPE_COUNTS; ++i)
        handles.push_back(knobs.emplace_back(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR).get());
    std::int64_t found = 0;
    QUADRIC_CHECKED(cudnnBackendGetAttribute(configuration.get(), CUDNN_ATTR_ENGINECFG_KNOB_CHOICES,
                                             CUDNN_TYPE_BACKEND_DESCRIPTOR, std::ssize(handles), &found,
                                             handles.data()));
    knobs.erase(knobs.begin() + std::min<std::ptrdiff_t>(found, std::ssize(knobs)), knobs.end());
    return knobs;
}

template <typename Number>
Number numberOf(const GraphDescriptor& descriptor, cudnnBackendAttributeName_t name,
                cudnnBackendAttributeType_t type)
{
    Number number{};
    std::int64_t found = 0;
    QUADRIC_CHECKED(cudnnBackendGetAttribute(descriptor.get(), name, type, 1, &found, &number));
    return number;
}

/// Whether the engine of a configuration rounds numbers of 32 bits to fewer before it multiplies than the
/// precision allows: to TF32 on tensor cores, or to 16 bits.
bool roundsTooMuch(const GraphDescriptor& configuration, Precision precision)
{
    if (storedAs(precision) != Precision::Fp32)
        return false;
    const GraphDescriptor engine = engineOf(configuration);
    std::int64_t found = 0;
    std::array<cudnnBackendNumericalNote_t, CUDNN_NUMERICAL_NOTE_TYPE_COUNT> notes{};
    QUADRIC_CHECKED(cudnnBackendGetAttribute(engine.get(), CUDNN_ATTR_ENGINE_NUMERICAL_NOTE,
                                             CUDNN_TYPE_NUMERICAL_NOTE, std::ssize(notes), &found,
                                             notes.data()));
    const auto end = notes.begin() + std::min<std::ptrdiff_t>(found, std::ssize(notes));
    return std::any_of(notes.begin(), end, [precision](cudnnBackendNumericalNote_t note) {
        return (note == CUDNN_NUMERICAL_NOTE_TENSOR_CORE && precision == Precision::Fp32) ||
               note == CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS;
    });
}

/// "engine 38_2=12_5=30": the number of the engine, which is its own in a release of cuDNN, and the types of
/// its knobs with their values.
std::string engineName(const GraphDescriptor& configuration)
{
    const auto index =
        numberOf<std::int64_t>(engineOf(configuration), CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64);
    std::string name = "engine " + std::to_string(index);
    for (const GraphDescriptor& knob : knobsOf(configuration)) {
        const auto type =
            numberOf<cudnnBackendKnobType_t>(knob, CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE);
        const auto value = numberOf<std::int64_t>(knob, CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64);
        name += '_' + std::to_string(static_cast<int>(type)) + '=' + std::to_string(value);
    }
    return name;
}

using Dims = std::array<std::int64_t, 4>;

// Older releases of cuDNN 9 need the handle here; newer ones still take it, but deprecate the names.
constexpr auto kPlanHandle = static_cast<cudnnBackendAttributeName_t>(400);
constexpr auto kGraphHandle = static_cast<cudnnBackendAttributeName_t>(800);
// Described devices came with cuDNN 9.8; headers of earlier ones do not have the names.
constexpr auto kDeviceDescriptor = static_cast<cudnnBackendDescriptorType_t>(38);
constexpr auto kDeviceJson = static_cast<cudnnBackendAttributeName_t>(2702);
constexpr auto kHeuristicsDevice = static_cast<cudnnBackendAttributeName_t>(204);
constexpr auto kPlanDevice = static_cast<cudnnBackendAttributeName_t>(407);

cudnnBackendDescriptor_t newDescriptor(cudnnBackendDescriptorType_t type)
{
    cudnnBackendDescriptor_t descriptor = nullptr;
    QUADRIC_CHECKED(cudnnBackendCreateDescriptor(type, &descriptor));
    return descriptor;
}

cudnnDataType_t typeOf(Precision precision)
{
    switch (precision) {
    case Precision::Bf16:
        return CUDNN_DATA_BFLOAT16;
    case Precision::Fp16:
        return CUDNN_DATA_HALF;
    case Precision::Fp32:
    case Precision::Tf32:
        break;
    }
    return CUDNN_DATA_FLOAT;
}

/// Dimensions are given as images (or outputs), channels, height, width; channels lie next to each other.
GraphDescriptor tensor(std::int64_t identifier, Precision precision, const Dims& dims)
{
    constexpr std::int64_t kAlignment = 16;
    const Dims strides{dims[1] * dims[2] * dims[3], 1, dims[1] * dims[3], dims[1]};
    const cudnnDataType_t type = typeOf(precision);
    GraphDescriptor made(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    made.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type);
    made.set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 4, dims.data());
    made.set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, 4, strides.data());
    made.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &identifier);
    made.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &kAlignment);
    made.finish();
    return made;
}

/// Products are added in fp32.
GraphDescriptor convolution(const ConvolutionProblem& problem)
{
    const cudnnDataType_t compute = CUDNN_DATA_FLOAT;
    const cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
    const std::int64_t spatial = 2;
    const std::vector<std::int64_t> paddings(2, problem.padding);
    GraphDescriptor made(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    made.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &compute);
    made.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, &mode);
    made.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, 1, &spatial);
    made.set(CUDNN_ATTR_CONVOLUTION_DILATIONS, {1, 1});
    made.set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, std::vector<std::int64_t>(2, problem.stride));
    made.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, paddings);
    made.set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, paddings);
    made.finish();
    return made;
}

/// Names of the attributes of one pass.
struct PassNames {
    cudnnBackendDescriptorType_t operation;
    cudnnBackendAttributeName_t convolution, input, weight, output, alpha, beta;
};

PassNames namesOf(ConvolutionPass pass)
{
    switch (pass) {
    case ConvolutionPass::InputGradient:
        return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA};
    case ConvolutionPass::WeightGradient:
        return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA};
    case ConvolutionPass::Forward:
        break;
    }
    return {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA};
}

GraphDescriptor operationGraph(const PlanTarget& target, const ConvolutionProblem& problem)
{
    const PassNames names = namesOf(problem.pass);
    const float one = 1.0F;
    const float zero = 0.0F;
    GraphDescriptor operation(names.operation);
    operation.set(names.convolution, convolution(problem));
    operation.set(names.input,
                  tensor(kInputTensor, problem.precision,
                         {problem.batch, problem.in.channels, problem.in.height, problem.in.width}));
    operation.set(names.weight,
                  tensor(kWeightTensor, problem.precision,
                         {problem.out.channels, problem.in.channels, problem.kernel, problem.kernel}));
    operation.set(names.output,
                  tensor(kOutputTensor, problem.precision,
                         {problem.batch, problem.out.channels, problem.out.height, problem.out.width}));
    operation.set(names.alpha, CUDNN_TYPE_FLOAT, 1, &one);
    operation.set(names.beta, CUDNN_TYPE_FLOAT, 1, &zero);
    operation.finish();
    GraphDescriptor graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    if (!target.device)
        graph.set(kGraphHandle, CUDNN_TYPE_HANDLE, 1, &target.handle);
    graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, operation);
    graph.finish();
    return graph;
}

/// All engines with their settings as cuDNN's heuristics rank them.
std::vector<GraphDescriptor> rankedEngines(const PlanTarget& target, const GraphDescriptor& graph,
                                           cudnnBackendHeurMode_t mode)
{
    GraphDescriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode);
    if (target.device)
        heuristics.set(kHeuristicsDevice, *target.device);
    std::vector<GraphDescriptor> engines;
    if (!heuristics.tryFinish())
        return engines;
    std::int64_t found = 0;
    QUADRIC_CHECKED(cudnnBackendGetAttribute(heuristics.get(), CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                             CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, &found, nullptr));
    std::vector<cudnnBackendDescriptor_t> handles;
    for (std::int64_t i = 0; i < found; ++i) {
        engines.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
        handles.push_back(engines.back().get());
    }
    QUADRIC_CHECKED(cudnnBackendGetAttribute(heuristics.get(), CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                             CUDNN_TYPE_BACKEND_DESCRIPTOR, std::ssize(handles), &found,
                                             handles.data()));
    engines.erase(engines.begin() + std::min<std::ptrdiff_t>(found, std::ssize(engines)), engines.end());
    return engines;
}

std::int64_t workspaceOf(const GraphDescriptor& plan)
{
    std::int64_t bytes = 0;
    std::int64_t found = 0;
    QUADRIC_CHECKED(cudnnBackendGetAttribute(plan.get(), CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE,
                                             CUDNN_TYPE_INT64, 1, &found, &bytes));
    return bytes;
}

} // namespace

GraphDescriptor::GraphDescriptor(cudnnBackendDescriptorType_t type)
    : m_descriptor(newDescriptor(type), [](void* descriptor) { cudnnBackendDestroyDescriptor(descriptor); })
{
}

void GraphDescriptor::set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                          std::int64_t count, const void* values)
{
    QUADRIC_CHECKED(cudnnBackendSetAttribute(get(), name, type, count, values));
}

void GraphDescriptor::set(cudnnBackendAttributeName_t name, const GraphDescriptor& other)
{
    const cudnnBackendDescriptor_t descriptor = other.get();
    set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &descriptor);
    keep(other);
}

void GraphDescriptor::set(cudnnBackendAttributeName_t name, const std::vector<std::int64_t>& values)
{
    set(name, CUDNN_TYPE_INT64, std::ssize(values), values.data());
}

void GraphDescriptor::finish()
{
    QUADRIC_CHECKED(cudnnBackendFinalize(get()));
}

bool GraphDescriptor::tryFinish()
{
    return cudnnBackendFinalize(get()) == CUDNN_STATUS_SUCCESS;
}

std::string keyOf(const ConvolutionProblem& p)
{
    std::string key;
    for (const int part : {static_cast<int>(p.pass), static_cast<int>(p.precision), p.batch, p.in.channels,
                           p.in.height, p.in.width, p.out.channels, p.kernel, p.stride, p.padding})
        key += std::to_string(part) + ' ';
    return key;
}

GraphDescriptor describedDevice(const std::string& json)
{
    GraphDescriptor device(kDeviceDescriptor);
    device.set(kDeviceJson, CUDNN_TYPE_CHAR, std::ssize(json), json.data());
    device.finish();
    return device;
}

std::vector<ConvolutionPlan> proposePlans(const PlanTarget& target, const ConvolutionProblem& problem,
                                          std::size_t most, std::size_t workspaceLimit)
{
    const GraphDescriptor graph = operationGraph(target, problem);
    std::vector<ConvolutionPlan> plans;
    for (const cudnnBackendHeurMode_t mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK}) {
        for (const GraphDescriptor& engine : rankedEngines(target, graph, mode)) {
            if (plans.size() == most)
                break;
            if (roundsTooMuch(engine, problem.precision))
                continue;
            GraphDescriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
            if (target.device)
                plan.set(kPlanDevice, *target.device);
            else
                plan.set(kPlanHandle, CUDNN_TYPE_HANDLE, 1, &target.handle);
            plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, engine);
            plan.keep(graph);
            if (!plan.tryFinish())
                continue;
            const auto bytes = static_cast<std::size_t>(workspaceOf(plan));
            if (bytes <= workspaceLimit)
                plans.push_back({std::move(plan), bytes, engineName(engine), 0.0});
        }
        if (!plans.empty())
            break;
    }
    return plans;
}

void execute(cudnnHandle_t handle, const ConvolutionPlan& plan, const ConvolutionTensors& tensors,
             void* workspace)
{
    const std::array<std::int64_t, 3> identifiers{kInputTensor, kWeightTensor, kOutputTensor};
    const std::array<void*, 3> pointers{tensors.input, tensors.weight, tensors.output};
    GraphDescriptor arguments(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    arguments.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, std::ssize(identifiers),
                  identifiers.data());
    arguments.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, std::ssize(pointers),
                  pointers.data());
    arguments.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace);
    arguments.finish();
    QUADRIC_CHECKED(cudnnBackendExecute(handle, plan.plan.get(), arguments.get()));
}

} // namespace quadric::trainer::cuda
