// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cpu/dnnl_layers.h"

#include "core/trainer/cpu/dnnl_layer_kinds.h"

#include <stdexcept>

namespace quadric::trainer {

std::unique_ptr<DnnlLayer> makeDnnlLayer(const Layer& layer, int index)
{
    switch (layer.kind) {
    case LayerKind::Convolution:
        return makeConvolutionLayer(layer, index);
    case LayerKind::BatchNorm:
        return makeBatchNormLayer(layer, index);
    case LayerKind::Add:
        return makeAddLayer(layer, index);
    case LayerKind::MaxPool:
    case LayerKind::AveragePool:
        return makePoolLayer(layer, index);
    case LayerKind::Dense:
        return makeDenseLayer(layer, index);
    }
    throw std::invalid_argument("layer " + layer.name + ": unknown kind");
}

} // namespace quadric::trainer
