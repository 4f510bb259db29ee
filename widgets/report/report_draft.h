// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/report/document/page_flow.h"

#include <memory>
#include <optional>

namespace quadric::widgets {

class PrintedReport;

/// A report in the making: written and set in steps so short that a window goes on between them.
class ReportDraft {
public:
    ReportDraft(ContextPointer context, const ReportOptions& options);
    ~ReportDraft();

    /// Takes a step; false when there is none left.
    bool advance();
    /// The report, after the last step.
    std::unique_ptr<PrintedReport> take();

private:
    ContextPointer m_context;
    ReportOptions m_options;
    std::unique_ptr<ReportWriter> m_writer; ///< until everything is written
    ReportContent m_content;
    PageFlow m_flow;
    std::size_t m_added = 0; ///< blocks that the flow has
};

} // namespace quadric::widgets
