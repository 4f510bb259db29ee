// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/confirmation.h"
#include "core/report/finding.h"
#include "core/report/findings/advice.h"
#include "widgets/gallery/gallery.h"
#include "widgets/report/document/report_content.h"
#include "widgets/text/text_table.h"

namespace quadric::widgets {

/// What the parts of a report are written from; everything that several of them need is computed once.
struct ReportSource {
    const StudyContext& context; ///< with names as they are shown
    const ReportOptions& options;
    Gallery& gallery;
    const optimize::Optimum& best;
    std::vector<optimize::Confirmation> confirmations;
    QString documentHash; ///< SHA-256 of the study document

    const study::Study& study() const { return context.study; }
    bool shows(Section section) const { return options.shows(section); }

    /// Plots by their ids, side by side under the titles that they have in the window.
    FigureBlock titled(const std::vector<std::string>& plots, double height, const QString& caption,
                       double lowest = FigureBlock().lowest) const;
};

/// One function for each section; what is switched off within a section is left out by them.
void addTitle(BlockList& blocks, const ReportSource& source);
void addSummary(BlockList& blocks, const ReportSource& source);
void addQuestion(BlockList& blocks, const ReportSource& source);
void addDesign(BlockList& blocks, const ReportSource& source);
void addRuns(BlockList& blocks, const ReportSource& source);
void addMeasurement(BlockList& blocks, const ReportSource& source);
/// Of the summary: the data quality in a line, what to do next, and pictures of the answer.
void addStepsAndPictures(BlockList& blocks, const ReportSource& source);
/// The models of all responses side by side.
void addCoefficients(BlockList& blocks, const ReportSource& source);
/// A response on one page.
void addModelInBrief(BlockList& blocks, const ReportSource& source, const model::Fit& fit);
void addOptimum(BlockList& blocks, const ReportSource& source);
void addConfirmation(BlockList& blocks, const ReportSource& source);
/// What is asked on the page Plan, on at most two pages; nothing where nothing is.
void addPlan(BlockList& blocks, const ReportSource& source);
/// The chapter of one response, in this order; what has no model has the first part only.
void addModel(BlockList& blocks, const ReportSource& source, const model::Fit& fit);
void addEffectPlots(BlockList& blocks, const ReportSource& source, const model::Fit& fit);
void addSurfaces(BlockList& blocks, const ReportSource& source, const model::Fit& fit);
void addDiagnostics(BlockList& blocks, const ReportSource& source, const model::Fit& fit);
void addProvenance(BlockList& blocks, const ReportSource& source);

/// Every response along every factor, at most so high.
void addProfiler(BlockList& blocks, const ReportSource& source, double tallest);

/// The model in actual units on one line, unless that would be too long to be read.
void addEquation(BlockList& blocks, const model::Fit& fit, const QString& introduction);

/// The numeric factors of a fit by what they explain, the most important first.
std::vector<std::size_t> leadingFactors(const model::Fit& fit);

/// The response over two factors as surface and contour map, the others at their center.
void addSurface(BlockList& blocks, const ReportSource& source, const model::Fit& fit, std::size_t x,
                std::size_t y, double height);

/// What confirming runs say of the prediction, a line for each response.
void addVerdict(BlockList& blocks, const study::Study& study, const optimize::Confirmation& confirmation);

/// What is known of the best setting.
report::Standing judgeBestSetting(const ReportSource& source);

/// Why there is no best setting, in a sentence.
QString noAnswerText(const optimize::Optimum& best);

/// "a model …" → "A model …".
QString asSentence(QString text);

/// OK, check, problem: what was found and what to do.
TextTable findingsTable(const QString& caption, const std::vector<report::Finding>& findings);

} // namespace quadric::widgets
