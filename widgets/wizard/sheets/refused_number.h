// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace quadric::widgets {

/// Why a text that typedNumber() does not take is no number, as a sentence about `what` ("The high of lr").
QString whyNoNumber(const QString& what, const QString& text);

} // namespace quadric::widgets
