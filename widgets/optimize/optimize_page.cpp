// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/optimize_page.h"

namespace quadric::widgets {

struct OptimizePage::Parts {
    ContextPointer context;
};

OptimizePage::OptimizePage(QWidget* parent)
    : Page(parent)
    , m_parts(std::make_unique<Parts>())
{
}

OptimizePage::~OptimizePage() = default;

void OptimizePage::setContext(ContextPointer context)
{
    m_parts->context = std::move(context);
}

void OptimizePage::pickRun(int) {}

} // namespace quadric::widgets
