// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

#include <QString>

namespace quadric::widgets {

/// "no transform", "logarithm", "power 0.3".
QString transformText(const study::Transform& transform);

} // namespace quadric::widgets
