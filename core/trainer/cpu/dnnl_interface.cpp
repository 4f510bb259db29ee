// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cpu/dnnl_interface.h"

#include <algorithm>
#include <array>
#include <span>

namespace quadric::trainer::onednn {

using dnnl::algorithm;
using dnnl::prop_kind;

namespace {

enum class Missing { IsEmpty, Throws };

#if DNNL_VERSION_MAJOR >= 3

template <typename Primitive, Missing missing = Missing::Throws, typename... Fact>
typename Primitive::primitive_desc forwardOf(const dnnl::engine& engine,
                                             const dnnl::primitive_attr& attributes, const Fact&... facts)
{
    return {engine, facts..., attributes, missing == Missing::IsEmpty};
}

template <typename Primitive, Missing missing = Missing::Throws, typename Forward, typename... Fact>
typename Primitive::primitive_desc backwardOf(const dnnl::engine& engine, const Forward& forward,
                                              const Fact&... facts)
{
    return {engine, facts..., forward, dnnl::primitive_attr(), missing == Missing::IsEmpty};
}

#else

template <typename Primitive, Missing missing = Missing::Throws, typename... Fact>
typename Primitive::primitive_desc forwardOf(const dnnl::engine& engine,
                                             const dnnl::primitive_attr& attributes, const Fact&... facts)
{
    return {typename Primitive::desc(facts...), attributes, engine, missing == Missing::IsEmpty};
}

template <typename Primitive, Missing missing = Missing::Throws, typename Forward, typename... Fact>
typename Primitive::primitive_desc backwardOf(const dnnl::engine& engine, const Forward& forward,
                                              const Fact&... facts)
{
    return {typename Primitive::desc(facts...), engine, forward, missing == Missing::IsEmpty};
}

#endif

dnnl::primitive_attr followedByRelu()
{
    dnnl::post_ops relu;
#if DNNL_VERSION_MAJOR >= 3
    relu.append_eltwise(algorithm::eltwise_relu, 0.0F, 0.0F);
#else
    relu.append_eltwise(1.0F, algorithm::eltwise_relu, 0.0F, 0.0F);
#endif
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(relu);
    return attributes;
}

} // namespace

dnnl::convolution_forward::primitive_desc convolutionForward(const dnnl::engine& engine,
                                                             const Layouts& layouts, const Window& window)
{
    return forwardOf<dnnl::convolution_forward, Missing::IsEmpty>(
        engine, {}, prop_kind::forward_training, algorithm::convolution_direct, layouts.source,
        layouts.weights, layouts.destination, window.stride, window.paddingBegin, window.paddingEnd);
}

dnnl::convolution_backward_weights::primitive_desc
convolutionBackwardWeights(const dnnl::engine& engine, const Layouts& layouts, const Window& window,
                           const dnnl::convolution_forward::primitive_desc& forward)
{
    return backwardOf<dnnl::convolution_backward_weights, Missing::IsEmpty>(
        engine, forward, algorithm::convolution_direct, layouts.source, layouts.weights, layouts.destination,
        window.stride, window.paddingBegin, window.paddingEnd);
}

dnnl::convolution_backward_data::primitive_desc
convolutionBackwardData(const dnnl::engine& engine, const Layouts& layouts, const Window& window,
                        const dnnl::convolution_forward::primitive_desc& forward)
{
    return backwardOf<dnnl::convolution_backward_data, Missing::IsEmpty>(
        engine, forward, algorithm::convolution_direct, layouts.source, layouts.weights, layouts.destination,
        window.stride, window.paddingBegin, window.paddingEnd);
}

dnnl::inner_product_forward::primitive_desc denseForward(const dnnl::engine& engine, const Layouts& layouts,
                                                         const memory::desc& bias)
{
    return forwardOf<dnnl::inner_product_forward>(engine, {}, prop_kind::forward_training, layouts.source,
                                                  layouts.weights, bias, layouts.destination);
}

dnnl::inner_product_backward_weights::primitive_desc
denseBackwardWeights(const dnnl::engine& engine, const Layouts& layouts, const memory::desc& bias,
                     const dnnl::inner_product_forward::primitive_desc& forward)
{
    return backwardOf<dnnl::inner_product_backward_weights, Missing::IsEmpty>(
        engine, forward, layouts.source, layouts.weights, bias, layouts.destination);
}

dnnl::inner_product_backward_data::primitive_desc
denseBackwardData(const dnnl::engine& engine, const Layouts& layouts,
                  const dnnl::inner_product_forward::primitive_desc& forward)
{
    return backwardOf<dnnl::inner_product_backward_data>(engine, forward, layouts.source, layouts.weights,
                                                         layouts.destination);
}

dnnl::batch_normalization_forward::primitive_desc batchNormForward(const dnnl::engine& engine,
                                                                   const memory::desc& map, float epsilon,
                                                                   dnnl::normalization_flags flags)
{
    using Forward = dnnl::batch_normalization_forward;
#if DNNL_VERSION_MAJOR >= 3
    return forwardOf<Forward>(engine, {}, prop_kind::forward_training, map, map, epsilon, flags);
#else
    return forwardOf<Forward>(engine, {}, prop_kind::forward_training, map, epsilon, flags);
#endif
}

dnnl::batch_normalization_backward::primitive_desc
batchNormBackward(const dnnl::engine& engine, const memory::desc& gradient, const memory::desc& map,
                  float epsilon, dnnl::normalization_flags flags,
                  const dnnl::batch_normalization_forward::primitive_desc& forward)
{
    using Backward = dnnl::batch_normalization_backward;
#if DNNL_VERSION_MAJOR >= 3
    return backwardOf<Backward>(engine, forward, prop_kind::backward, gradient, gradient, map, epsilon,
                                flags);
#else
    return backwardOf<Backward>(engine, forward, prop_kind::backward, gradient, map, epsilon, flags);
#endif
}

dnnl::pooling_forward::primitive_desc poolingForward(const dnnl::engine& engine, dnnl::algorithm algorithm,
                                                     const memory::desc& source,
                                                     const memory::desc& destination, const Window& window)
{
    using Forward = dnnl::pooling_forward;
#if DNNL_VERSION_MAJOR >= 3
    const memory::dims dilation(window.kernel.size(), 0);
    return forwardOf<Forward>(engine, {}, prop_kind::forward_training, algorithm, source, destination,
                              window.stride, window.kernel, dilation, window.paddingBegin, window.paddingEnd);
#else
    return forwardOf<Forward>(engine, {}, prop_kind::forward_training, algorithm, source, destination,
                              window.stride, window.kernel, window.paddingBegin, window.paddingEnd);
#endif
}

dnnl::pooling_backward::primitive_desc poolingBackward(const dnnl::engine& engine, dnnl::algorithm algorithm,
                                                       const memory::desc& source,
                                                       const memory::desc& destination, const Window& window,
                                                       const dnnl::pooling_forward::primitive_desc& forward)
{
    using Backward = dnnl::pooling_backward;
#if DNNL_VERSION_MAJOR >= 3
    const memory::dims dilation(window.kernel.size(), 0);
    return backwardOf<Backward>(engine, forward, algorithm, source, destination, window.stride, window.kernel,
                                dilation, window.paddingBegin, window.paddingEnd);
#else
    return backwardOf<Backward>(engine, forward, algorithm, source, destination, window.stride, window.kernel,
                                window.paddingBegin, window.paddingEnd);
#endif
}

dnnl::binary::primitive_desc sum(const dnnl::engine& engine, const memory::desc& desc, bool relu)
{
    return forwardOf<dnnl::binary>(engine, relu ? followedByRelu() : dnnl::primitive_attr(),
                                   algorithm::binary_add, desc, desc, desc);
}

dnnl::eltwise_backward::primitive_desc reluBackward(const dnnl::engine& engine, const memory::desc& desc)
{
    using Forward = dnnl::eltwise_forward;
    using Backward = dnnl::eltwise_backward;
    constexpr auto kRelu = algorithm::eltwise_relu_use_dst_for_bwd;
#if DNNL_VERSION_MAJOR >= 3
    const auto hint =
        forwardOf<Forward>(engine, {}, prop_kind::forward_training, kRelu, desc, desc, 0.0F, 0.0F);
    return backwardOf<Backward>(engine, hint, kRelu, desc, desc, desc, 0.0F, 0.0F);
#else
    const auto hint = forwardOf<Forward>(engine, {}, prop_kind::forward_training, kRelu, desc, 0.0F, 0.0F);
    return backwardOf<Backward>(engine, hint, kRelu, desc, desc, 0.0F, 0.0F);
#endif
}

memory::dims dimensions(const memory::desc& desc)
{
#if DNNL_VERSION_MAJOR >= 3
    return desc.get_dims();
#else
    return desc.dims();
#endif
}

memory::data_type dataType(const memory::desc& desc)
{
#if DNNL_VERSION_MAJOR >= 3
    return desc.get_data_type();
#else
    return desc.data_type();
#endif
}

bool isPadded(const memory::desc& desc)
{
#if DNNL_VERSION_MAJOR >= 3
    return desc.get_padded_dims() != desc.get_dims();
#else
    const memory::dims dims = desc.dims();
    return !std::equal(dims.begin(), dims.end(), desc.data.padded_dims);
#endif
}

namespace {

using Numbers = std::vector<std::int64_t>;

void appendPairs(Numbers& numbers, std::span<const std::int64_t> first, std::span<const std::int64_t> second)
{
    for (std::size_t i = 0; i < first.size(); ++i)
        numbers.insert(numbers.end(), {first[i], second[i]});
}

} // namespace

std::vector<std::int64_t> layoutNumbers(const memory::desc& desc)
{
    Numbers numbers;
#if DNNL_VERSION_MAJOR >= 3
    appendPairs(numbers, desc.get_padded_dims(), desc.get_strides());
    appendPairs(numbers, desc.get_inner_idxs(), desc.get_inner_blks());
#else
    const auto dims = static_cast<std::size_t>(desc.data.ndims);
    const dnnl_blocking_desc_t& blocking = desc.data.format_desc.blocking;
    const auto blocks = static_cast<std::size_t>(blocking.inner_nblks);
    appendPairs(numbers, {desc.data.padded_dims, dims}, {blocking.strides, dims});
    appendPairs(numbers, {blocking.inner_idxs, blocks}, {blocking.inner_blks, blocks});
#endif
    return numbers;
}

namespace {

using dnnl::cpu_isa;

/// Each set is a set of bits: those of a larger one contain those of the smaller ones.
bool contains(cpu_isa larger, cpu_isa smaller)
{
    const auto bits = static_cast<unsigned>(smaller);
    return (static_cast<unsigned>(larger) & bits) == bits;
}

struct NamedSet {
    cpu_isa set;
    const char* name;
};

/// From the largest set to the smallest.
constexpr auto kNamedSets = std::to_array<NamedSet>({
#if DNNL_VERSION_MAJOR >= 3
    {cpu_isa::avx512_core_amx_fp16, "AVX-512-AMX-FP16"}, {cpu_isa::avx512_core_amx, "AVX-512-AMX"},
        {cpu_isa::avx512_core_fp16, "AVX-512-FP16"},
#else
    {cpu_isa::avx512_core_amx, "AVX-512-AMX"},
#endif
        {cpu_isa::avx512_core_bf16, "AVX-512-BF16"}, {cpu_isa::avx512_core_vnni, "AVX-512-VNNI"},
        {cpu_isa::avx512_core, "AVX-512"},
#if DNNL_VERSION_MAJOR >= 3
        {cpu_isa::avx2_vnni_2, "AVX2-VNNI-2"},
#endif
        {cpu_isa::avx2_vnni, "AVX2-VNNI"}, {cpu_isa::avx2, "AVX2"}, {cpu_isa::avx, "AVX"},
        {cpu_isa::sse41, "SSE4.1"},
});

} // namespace

int channelBlock()
{
    return contains(dnnl::get_effective_cpu_isa(), cpu_isa::avx512_core) ? 16 : 8;
}

bool computesBf16()
{
    return contains(dnnl::get_effective_cpu_isa(), cpu_isa::avx512_core_bf16);
}

std::string version()
{
    const dnnl_version_t* version = dnnl_version();
    return std::to_string(version->major) + '.' + std::to_string(version->minor) + '.' +
           std::to_string(version->patch);
}

std::string instructionSet()
{
    const cpu_isa here = dnnl::get_effective_cpu_isa();
    for (const NamedSet& each : kNamedSets) {
        if (contains(here, each.set))
            return each.name;
    }
    return "other";
}

} // namespace quadric::trainer::onednn
