// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/document/report_parts.h"

#include "widgets/text/findings_list.h"
#include "widgets/text/wording.h"

namespace quadric::widgets {

TextTable findingsTable(const QString& caption, const std::vector<report::Finding>& findings)
{
    TextTable table;
    table.caption = caption;
    table.columns = {{QString(), {}, false},
                     {tr("Topic"), {}, false},
                     {tr("Finding"), {}, false},
                     {tr("What to do"), {}, false}};
    for (const report::Finding& finding : findings)
        table.rows.push_back(
            {severityText(finding), QString::fromStdString(finding.topic),
             QString::fromStdString(finding.sentence),
             finding.advice.empty() ? QStringLiteral("–") : QString::fromStdString(finding.advice)});
    return table;
}

} // namespace quadric::widgets
