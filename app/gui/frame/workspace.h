// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/study_document.h"
#include "core/run/words/events.h"
#include "widgets/base/page.h"
#include "widgets/plots/view_kind.h"

#include <QScrollArea>
#include <QTimer>
#include <QWidget>

#include <array>
#include <optional>
#include <vector>

class QStackedWidget;
class QPushButton;
class QLabel;
class QToolButton;

namespace quadric::widgets {
class DesignPage;
class ExplorePage;
class OptimizePage;
class PlanPage;
class ReportPage;
class RunPage;
} // namespace quadric::widgets

namespace quadric::app {

/// A page that fills its place and scrolls where it needs more: with large text or on a small screen. Unlike
/// a resizable QScrollArea it asks the page for what it needs, not for the height it would like.
class PageArea : public QScrollArea {
    Q_OBJECT

public:
    explicit PageArea(QWidget* page);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();
};

class Experiment;
class RunWatch;

/// The step with the page of this name: "design", "run", "explore", "optimize", "plan" or "report".
widgets::Step stepOf(std::string_view page);
/// The name of its page.
const char* helpPageName(widgets::Step step);

/// The six pages of the workspace, one visible. A page that is not visible gets the newest context when it
/// is shown, so that a drag costs only what is seen.
class Pages : public QWidget {
    Q_OBJECT

public:
    explicit Pages(QWidget* parent = nullptr);

    /// Explore, Optimize, Plan and Report show the study as it is `analyzed`, Design and Run as it is
    /// `stored`. Both are the same study with the same fits.
    void setContext(const widgets::ContextPointer& stored, const widgets::ContextPointer& analyzed);
    void setStep(widgets::Step step);
    widgets::Step step() const;
    /// The page of the step.
    const QWidget& page() const { return *m_pages[size_t(step())]; }
    /// Shows this view of the present page and gives it the focus; only the page where it has none.
    void showView(const widgets::ViewKind& kind);
    /// Feeds the run page with news and passes on what is asked of the experiment.
    void follow(Experiment& experiment);

    /// Lights these runs on every page.
    void pickRuns(const widgets::PickedRuns& runs);

    widgets::DesignPage& designPage() { return *m_design; }
    widgets::RunPage& runPage() { return *m_run; }
    widgets::ExplorePage& explorePage() { return *m_explore; }

signals:
    void changeRequested(const quadric::study::Study& after, const QString& label, const QString& mergeKey);
    void stepRequested(quadric::widgets::Step step);
    /// See widgets::Page.
    void remedyRequested(const quadric::report::Finding& finding);
    /// Other runs are lit than before.
    void runsPicked(const quadric::widgets::PickedRuns& runs);
    /// The user takes back the change that a page has just asked for.
    void undoRequested();

private:
    void addPage(widgets::Page* page);
    void tell(widgets::Page* page);
    bool showsAnalyzed(const widgets::Page* page) const;
    void requestChange(const study::Study& after, const QString& label, const QString& mergeKey);
    void excludeRuns(const std::vector<int>& runs);

    QStackedWidget* m_stack; ///< each page in an area that scrolls, for large text and small screens
    std::vector<widgets::Page*> m_pages;
    widgets::DesignPage* m_design;
    widgets::RunPage* m_run;
    widgets::ExplorePage* m_explore;
    widgets::OptimizePage* m_optimize;
    widgets::PlanPage* m_plan;
    widgets::ReportPage* m_report;
    RunWatch* m_watch;
    widgets::ContextPointer m_context, m_analyzed;
    std::array<widgets::ContextPointer, 6> m_shown; ///< what each page knows
    widgets::PickedRuns m_picked;
};

/// Says across the window why the file cannot take the open study, with the ways out. Hidden while it can.
class DocumentBanner : public widgets::Banner {
    Q_OBJECT

public:
    /// `document` must outlive the banner.
    explicit DocumentBanner(StudyDocument& document, QWidget* parent = nullptr);

signals:
    void saveAsRequested();

private:
    void showTrouble();

    StudyDocument& m_document;
    QPushButton* m_reload;
    QPushButton* m_keepBeside;
    QPushButton* m_saveHere;
    QPushButton* m_saveAs;
};

/// The line at the bottom of the window: what the study's data are like, on the right how long the experiment
/// still takes. A notice takes its place for a while.
class StatusLine : public QWidget {
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);
    void setWords(const QString& words);
    /// The button that opens the list of warnings; none without any.
    void setWarnings(int count);
    /// Nothing is shown where it is not known.
    void setRemaining(const std::optional<run::TimeLeft>& left);
    void showNotice(const QString& text);

signals:
    void warningsClicked();

private:
    void showWords();

    QToolButton* m_warnings;
    QLabel* m_left;
    QLabel* m_right;
    QTimer m_notice;
    QString m_words;
};

} // namespace quadric::app
