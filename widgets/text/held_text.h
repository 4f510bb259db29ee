// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/coding.h"
#include "core/study/study.h"

#include <QString>

#include <cstddef>
#include <vector>

namespace quadric::widgets {

/// What the factors that a plot does not show are set to: "at bucket_mb 8 MB · precision fp32". `shown`:
/// those that it does show, by their index. Empty where it shows them all.
QString heldText(const study::Study& study, const study::CodedPoint& at,
                 const std::vector<std::size_t>& shown);

/// Of a plot that moves some factors at a time: "others at gpus 32 GPUs · bucket_mb 8 MB".
QString othersText(const study::Study& study, const study::CodedPoint& at);

/// Of curves that all go through one setting: "from gpus 32 GPUs · bucket_mb 8 MB".
QString referenceText(const study::Study& study, const study::CodedPoint& at);

} // namespace quadric::widgets
