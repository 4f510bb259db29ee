// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/banner.h"
#include "widgets/base/page.h"

namespace quadric::widgets {

/// Says that the runs recommend other models than those that the answer comes from, with the error before and
/// after, and offers to use them.
class ModelsBanner : public Banner {
    Q_OBJECT

public:
    explicit ModelsBanner(QWidget* parent = nullptr);

    /// Hidden where nothing else is recommended.
    void showAdvice(const StudyContext& context);

signals:
    void accepted();
};

} // namespace quadric::widgets
