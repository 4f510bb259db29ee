// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/convolution_engine.h"

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

} // namespace

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

} // namespace quadric::trainer::cuda
