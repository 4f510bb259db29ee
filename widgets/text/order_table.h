// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_summary.h"
#include "widgets/text/text_table.h"

namespace quadric::widgets {

/// The orders of a model side by side; the suggested one is marked in words.
TextTable orderTable(const model::ModelSummary& summary);

} // namespace quadric::widgets
