// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"
#include "widgets/base/job_runner.h"
#include "widgets/wizard/wizard_frame.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QProgressBar;
class QSplitter;

namespace quadric::widgets {

/// Runs that were laid out, or why there are none, in words.
struct LaidOutRuns {
    std::vector<study::Run> runs = {};
    QString problem = {};
    QString note = {};      ///< of a search: how it ended and what rounding its levels cost
    bool isStopped = false; ///< the search would have gone on
};

/// Whether the runs of the study before do not suit the study after.
bool needsNewRuns(const study::Study& before, const study::Study& after);

/// Lays out the runs of a study, those of slow types of design in the background. The newest request wins.
class RunSearch : public QObject {
    Q_OBJECT

public:
    explicit RunSearch(QObject* parent = nullptr);

    /// The runs, or nothing where a search for them has begun: it ends with found().
    std::optional<LaidOutRuns> start(const study::Study& study);
    /// Ends the search with the best that it has, which comes with found().
    void finish() { m_search.finish(); }
    /// Ends the search; nothing comes of it.
    void cancel();
    bool isBusy() const { return m_search.isBusy(); }

signals:
    /// Ten times a second while it searches, 0 … 1.
    void progressed(double done);
    void found(const quadric::widgets::LaidOutRuns& laidOut);

private:
    JobRunner<LaidOutRuns> m_search;
    std::shared_ptr<std::atomic<double>> m_searched; ///< how far the search is
    QTimer m_news;
};

class CubePanel;
class DesignOptions;
class OfferCards;
class QualityPanel;
class RunMatrixModel;

/// How the runs are laid out: cards to choose from at the left; options, the runs themselves, the cube and
/// the quality at the right.
class LayoutPage : public WizardPage {
    Q_OBJECT

public:
    explicit LayoutPage(QWidget* parent = nullptr);
    void setStudy(const study::Study& study) override;

    /// Whether the user has chosen a design or an option of it here.
    bool hasChoice() const { return m_isChosen; }

    /// A study with results keeps its runs: nothing can be changed here.
    void lock(const QString& reason);

    /// This design has been chosen. Until one is, the recommended one is taken; and so it is while the
    /// factors do not allow the chosen one.
    void choose(const study::DesignSpec& spec) { m_chosen = spec; }

    /// A search for the design goes on and is this far, 0 … 1; empty: none does.
    void showSearch(std::optional<double> done);

    /// How the last search ended, in words.
    void showFound(const QString& words);

signals:
    /// The user has waited long enough and takes the best design so far.
    void stopRequested();
    /// The user wants to see whether a search finds a better design.
    void searchRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildChoices();
    QWidget* buildPreview();
    QWidget* buildSearch();
    QWidget* buildResult();
    void arrange();
    void showPreview();
    void applyDesignSpec(const study::DesignSpec& spec);
    void followRecommendation();
    void showFollowing(const QString& words);

    study::Study m_study;
    std::optional<study::Study> m_shown; ///< what the preview shows; it follows only while it is seen
    bool m_isChosen = false;             ///< on this page
    std::optional<study::DesignSpec> m_chosen;
    bool m_isLocked = false;
    OfferCards* m_cards;
    DesignOptions* m_options;
    QLabel* m_note; ///< above the cards: why they are locked, or what is selected and why
    QWidget* m_search = nullptr;
    QWidget* m_result = nullptr;
    QLabel* m_found = nullptr;
    QProgressBar* m_progress = nullptr;
    RunMatrixModel* m_runs;
    QSplitter* m_upper = nullptr;
    CubePanel* m_cube;
    QualityPanel* m_quality;
};

} // namespace quadric::widgets
