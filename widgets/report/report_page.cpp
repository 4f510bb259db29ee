// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/report_page.h"

namespace quadric::widgets {

struct ReportPage::Parts {
    ContextPointer context;
};

ReportPage::ReportPage(QWidget* parent)
    : Page(parent)
    , m_parts(std::make_unique<Parts>())
{
}

ReportPage::~ReportPage() = default;

void ReportPage::setContext(ContextPointer context)
{
    m_parts->context = std::move(context);
}

ReportOptions ReportPage::options() const
{
    return {};
}

QString ReportPage::exportTo(const QString& path)
{
    return writeReport(*m_parts->context, options(), path);
}

} // namespace quadric::widgets
