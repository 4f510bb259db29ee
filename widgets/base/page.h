// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/select/recommendation.h"
#include "core/report/finding.h"
#include "core/study/study.h"
#include "widgets/base/picked_runs.h"

#include <QString>
#include <QWidget>

#include <filesystem>
#include <memory>

class QMenu;

namespace quadric::widgets {

/// Everything a page shows, as one snapshot; pages keep the pointer and never change what it points to.
struct StudyContext {
    study::Study study;
    std::vector<model::Fit> fits; ///< one per response, in the study's order
    std::filesystem::path path;   ///< empty: not saved yet
    bool isRunning = false;       ///< a background runner executes the study
    /// What the runs recommend for all responses together, by response; empty where it was not asked for.
    std::vector<model::Recommendation> scales = {};
    /// The fits that settings are recommended from, where Gaussian processes stand in place of polynomials
    /// (optimize::withShownProcesses()); empty where none does.
    std::vector<model::Fit> processFits = {};

    const std::vector<model::Fit>& decidingFits() const { return processFits.empty() ? fits : processFits; }
};
using ContextPointer = std::shared_ptr<const StudyContext>;

enum class Step { Design, Run, Explore, Optimize, Plan, Report };

/// "Runs 3, 7 and 12 are selected."
QString pickedText(const PickedRuns& runs);

/// One step of the main window. It shows the context and asks for changes; it never changes, saves or starts
/// anything itself.
class Page : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;
    virtual void setContext(ContextPointer context) = 0;

    /// Adds to the menu of a plot what can be done with the runs that are lit.
    void addRunActions(QMenu& menu, const PickedRuns& picked);

signals:
    /// The study as the user wants it. Changes with the same non-empty `mergeKey` in a row become one undo
    /// step (a drag).
    void changeRequested(const quadric::study::Study& after, const QString& label, const QString& mergeKey);
    void stepRequested(quadric::widgets::Step step);
    /// What the program can do about a finding (report::findRemedy()) is wanted; `response`: its index.
    void remedyRequested(const quadric::report::Finding& finding, int response);
    /// The runs to be lit on every page.
    void runsPicked(const quadric::widgets::PickedRuns& runs);
    /// The user wants to exclude these runs from all models, and is to be asked for the reason.
    void exclusionRequested(const std::vector<int>& runs);
};

} // namespace quadric::widgets
