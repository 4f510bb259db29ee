// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/report_draft.h"

#include "widgets/report/document/printed_report.h"

namespace quadric::widgets {

ReportDraft::ReportDraft(ContextPointer context, const ReportOptions& options)
    : m_context(std::move(context))
    , m_options(options)
    , m_writer(std::make_unique<ReportWriter>(m_context, m_options))
    , m_flow(textAreaOf(m_options))
{
}

ReportDraft::~ReportDraft() = default;

bool ReportDraft::advance()
{
    if (m_writer) {
        if (!m_writer->writePart()) {
            m_content = m_writer->take();
            m_writer.reset();
        }
        return true;
    }
    if (m_added == m_content.blocks.size())
        return m_flow.placeNext();
    m_flow.add(m_content.blocks[m_added++]);
    return true;
}

std::unique_ptr<PrintedReport> ReportDraft::take()
{
    return std::make_unique<PrintedReport>(std::move(m_content), m_options, std::move(m_flow));
}

} // namespace quadric::widgets
