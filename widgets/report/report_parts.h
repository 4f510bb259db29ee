// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/confirmation.h"
#include "widgets/gallery/gallery.h"
#include "widgets/report/block_list.h"

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
void addOptimum(BlockList& blocks, const ReportSource& source);
void addConfirmation(BlockList& blocks, const ReportSource& source);
/// The chapter of one response, in this order; what has no model has the first part only.
void addModel(BlockList& blocks, const ReportSource& source, const model::Fit& fit);
void addEffectPlots(BlockList& blocks, const ReportSource& source, const model::Fit& fit);
void addSurfaces(BlockList& blocks, const ReportSource& source, const model::Fit& fit);
void addDiagnostics(BlockList& blocks, const ReportSource& source, const model::Fit& fit);
void addProvenance(BlockList& blocks, const ReportSource& source);

/// What confirming runs say of the prediction, a line for each response.
void addVerdict(BlockList& blocks, const study::Study& study, const optimize::Confirmation& confirmation);

/// Why there is no best setting, in a sentence.
QString noAnswerText(const optimize::Optimum& best);

/// "a model …" → "A model …".
QString asSentence(QString text);

} // namespace quadric::widgets
