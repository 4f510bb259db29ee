// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cpu/dnnl_layer_kinds.h"

namespace quadric::trainer {

using dnnl::memory;

namespace {

constexpr float kBatchNormEpsilon = 1e-5F;

class BatchNormLayer : public DnnlLayer {
public:
    BatchNormLayer(const Layer& layer, int index)
        : m_layer(layer)
        , m_index(index)
    {
    }

    void addForward(DnnlBuilder& builder) override;
    void addBackward(DnnlBuilder& builder) override;

private:
    using Forward = dnnl::batch_normalization_forward;
    using Backward = dnnl::batch_normalization_backward;

    dnnl::normalization_flags flags() const
    {
        using Flags = dnnl::normalization_flags;
        const Flags affine = Flags::use_scale | Flags::use_shift;
        return m_layer.relu ? affine | Flags::fuse_norm_relu : affine;
    }

    Layer m_layer;
    int m_index;
    Forward::primitive_desc m_forward;
    DnnlBuilder::Arguments m_kept; ///< what the backward pass reads again
    memory m_scaleGradient, m_shiftGradient;
};

void BatchNormLayer::addForward(DnnlBuilder& builder)
{
    const memory source = builder.activation(m_layer.input);
    m_forward = onednn::batchNormForward(builder.engine(), source.get_desc(), kBatchNormEpsilon, flags());
    builder.check(m_layer.name, m_forward.impl_info_str());

    const memory::desc perChannel = plainVector(builder.shapeOf(m_index).channels);
    const DnnlParameter scale = builder.addParameter(perChannel, perChannel);
    const DnnlParameter shift = builder.addParameter(perChannel, perChannel);
    m_scaleGradient = scale.gradient;
    m_shiftGradient = shift.gradient;
    m_kept = {{DNNL_ARG_SRC, source},
              {DNNL_ARG_SCALE, scale.value},
              {DNNL_ARG_SHIFT, shift.value},
              {DNNL_ARG_MEAN, builder.newMemory(m_forward.mean_desc())},
              {DNNL_ARG_VARIANCE, builder.newMemory(m_forward.variance_desc())}};
    if (m_layer.relu)
        m_kept[DNNL_ARG_WORKSPACE] = builder.newMemory(m_forward.workspace_desc());

    DnnlBuilder::Arguments arguments = m_kept;
    arguments[DNNL_ARG_DST] = builder.newMemory(m_forward.dst_desc());
    builder.setActivation(m_index, arguments[DNNL_ARG_DST]);
    builder.forward(Forward(m_forward), std::move(arguments));
}

void BatchNormLayer::addBackward(DnnlBuilder& builder)
{
    const GradientBuffer outputGradient = builder.takeGradient(m_index);
    const memory::desc desc = outputGradient.memory.get_desc();
    const auto backward = onednn::batchNormBackward(
        builder.engine(), desc, m_kept.at(DNNL_ARG_SRC).get_desc(), kBatchNormEpsilon, flags(), m_forward);
    builder.check(m_layer.name + " (backward)", backward.impl_info_str());

    GradientBuffer inputGradient = outputGradient.isShared() ? builder.newGradient(desc) : outputGradient;
    DnnlBuilder::Arguments arguments = m_kept;
    if (!onednn::kBatchNormBackwardReadsShift)
        arguments.erase(DNNL_ARG_SHIFT);
    arguments[DNNL_ARG_DIFF_DST] = outputGradient.memory;
    arguments[DNNL_ARG_DIFF_SRC] = inputGradient.memory;
    arguments[DNNL_ARG_DIFF_SCALE] = m_scaleGradient;
    arguments[DNNL_ARG_DIFF_SHIFT] = m_shiftGradient;
    builder.backward(Backward(backward), std::move(arguments));
    builder.giveGradient(m_layer.input, std::move(inputGradient));
}

} // namespace

std::unique_ptr<DnnlLayer> makeBatchNormLayer(const Layer& layer, int index)
{
    return std::make_unique<BatchNormLayer>(layer, index);
}

} // namespace quadric::trainer
