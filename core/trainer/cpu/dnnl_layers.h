// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/cpu/dnnl_builder.h"

#include <memory>

namespace quadric::trainer {

/// One layer while a plan is built: first the forward primitives of all layers, then the backward ones in
/// reverse. All primitives of oneDNN that the network needs are made behind this interface.
class DnnlLayer {
public:
    virtual ~DnnlLayer() = default;
    virtual void addForward(DnnlBuilder& builder) = 0;
    virtual void addBackward(DnnlBuilder& builder) = 0;
};

std::unique_ptr<DnnlLayer> makeDnnlLayer(const Layer& layer, int index);

} // namespace quadric::trainer
