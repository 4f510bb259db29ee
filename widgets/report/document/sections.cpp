// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/document/report.h"

#include "widgets/text/translate.h"

#include <algorithm>

namespace quadric::widgets {

const std::vector<SectionInfo>& reportSections()
{
    static const std::vector<SectionInfo> sections{
        {Section::Summary, "summary", tr("S&ummary")},
        {Section::Question, "question", tr("&Factors and responses")},
        {Section::Design, "design", tr("Design and its qualit&y")},
        {Section::Runs, "runs", tr("&Runs")},
        {Section::Measurement, "measurement", tr("Measureme&nt")},
        {Section::Optimum, "optimum", tr("&Best settings")},
        {Section::Confirmation, "confirmation", tr("&Confirmation")},
        {Section::Planning, "planning", tr("Plann&ing")},
        {Section::Models, "models", tr("&Models")},
        {Section::Plots, "plots", tr("P&lots")},
        {Section::Diagnostics, "diagnostics", tr("&Diagnostics")},
        {Section::Provenance, "provenance", tr("Pr&ovenance")}};
    return sections;
}

const std::vector<ExtentInfo>& reportExtents()
{
    static const std::vector<ExtentInfo> extents{{Extent::Summary, "summary", tr("Summary")},
                                                 {Extent::Engineering, "engineering", tr("Engineering")},
                                                 {Extent::Full, "full", tr("Full")}};
    return extents;
}

const SectionInfo* findSection(std::string_view name)
{
    const auto found = std::ranges::find(reportSections(), name, &SectionInfo::name);
    return found == reportSections().end() ? nullptr : &*found;
}

} // namespace quadric::widgets
