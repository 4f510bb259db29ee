// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/run_page.h"

namespace quadric::widgets {

struct RunPage::Parts {
    ContextPointer context;
};

RunPage::RunPage(QWidget* parent)
    : Page(parent)
    , m_parts(std::make_unique<Parts>())
{
}

RunPage::~RunPage() = default;

void RunPage::setContext(ContextPointer context)
{
    m_parts->context = std::move(context);
}

void RunPage::showProgress(int, double, const QString&) {}
void RunPage::showSample(int, double) {}
void RunPage::appendLog(int, const QString&) {}
void RunPage::showRemaining(double) {}
void RunPage::showMessage(const QString&) {}
void RunPage::pickRun(int) {}

} // namespace quadric::widgets
