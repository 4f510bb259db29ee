// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/fit_statistics.h"

#include "widgets/base/theme.h"
#include "widgets/text/translate.h"

namespace quadric::widgets {

QString transformText(const study::Transform& transform)
{
    switch (transform.kind) {
    case study::TransformKind::None:
        return tr("no transform");
    case study::TransformKind::Log:
        return tr("logarithm");
    case study::TransformKind::Sqrt:
        return tr("square root");
    case study::TransformKind::Inverse:
        return tr("inverse");
    case study::TransformKind::Logit:
        return tr("logit");
    case study::TransformKind::BoxCox:
        break;
    }
    return tr("power %1").arg(formatNumber(transform.lambda));
}

} // namespace quadric::widgets
