// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"

#include <QString>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace quadric::widgets {

/// What a report consists of, in reading order. The title is always there.
enum class Section {
    Summary,
    Question,
    Design,
    Runs,
    Measurement,
    Optimum,
    Confirmation,
    Planning,
    Models,
    Plots,
    Diagnostics,
    Provenance
};

struct SectionInfo {
    Section section;
    std::string name; ///< on the command line
    QString title;    ///< on the page, with a mnemonic
};

/// All sections, in reading order.
const std::vector<SectionInfo>& reportSections();

/// Which section has this name; none: nullptr.
const SectionInfo* findSection(std::string_view name);

/// How much a report says.
enum class Extent {
    Summary,     ///< two pages: the answer, what speaks for and against it, and its pictures
    Engineering, ///< a page for each response, without the tables that few read
    Full         ///< every number and plot
};

struct ExtentInfo {
    Extent extent;
    std::string name; ///< on the command line
    QString title;    ///< on the page
};

/// From the shortest to the longest.
const std::vector<ExtentInfo>& reportExtents();

/// How much the report says, which sections it has and how it is printed.
struct ReportOptions {
    Extent extent = Extent::Full;
    std::set<Section> without = {}; ///< the summary has no sections to leave out
    bool letterPaper = false;
    QString title = {};  ///< empty: the study's name
    QString author = {}; ///< empty: nobody is named

    bool shows(Section section) const { return extent == Extent::Summary || !without.contains(section); }
};

/// Writes the report of a study: as one HTML file when the name ends in .html, otherwise as PDF. Vector
/// plots, real text, a mark on every page and plot where data are simulated. Returns an empty string, or the
/// reason in words why it could not be written.
QString writeReport(const ContextPointer& context, const ReportOptions& options, const QString& path);

} // namespace quadric::widgets
