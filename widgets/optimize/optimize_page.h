// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"
#include "widgets/optimize/session/optimize_session.h"
#include "widgets/optimize/views/optimize_views.h"

#include <QTabWidget>

#include <memory>
#include <vector>

class QMenu;

namespace quadric::widgets {

class MapView;

/// What stands below the profiler: the map beside the Pareto front, or in their place one of the other views.
/// Only what can be seen costs anything while the user drags.
class ViewDeck : public QTabWidget {
    Q_OBJECT

public:
    explicit ViewDeck(const OptimizeSession& session, QWidget* parent = nullptr);

    void refresh(Change change);
    void pickRuns(const PickedRuns& runs);
    /// The map and each of the other views that has something to say, one of them checked.
    void fillMenu(QMenu& menu);

signals:
    void settingsPicked(const quadric::study::Settings& settings);
    void runsPicked(const quadric::widgets::PickedRuns& runs);
    void deviationRequested(const QString& factor, double sd);
    void runsRequested(const std::vector<quadric::study::Settings>& settings);
    void goOnRequested(double seconds);
    void stopRequested();
    /// The map is shown as a surface, which wants all the room there is, or no longer.
    void surfaceToggled(bool isShown);

protected:
    void showEvent(QShowEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    QWidget* makeMapAndFront();
    void add(AnswerView* view, const ViewKind& kind);
    void showVisible();
    void explain();

    const OptimizeSession& m_session;
    std::vector<AnswerView*> m_views;
    std::vector<std::optional<Change>> m_missed; ///< what each view has not been told yet
};

enum class Change;

/// The step "Optimize": the recommended setting and what to expect of it, goals and weights of the responses,
/// the profiler around the setting, and below it map and Pareto front. Everything follows while the mouse
/// moves.
class OptimizePage : public Page {
    Q_OBJECT

public:
    explicit OptimizePage(QWidget* parent = nullptr);
    ~OptimizePage() override;
    void setContext(ContextPointer context) override;

public slots:
    /// Lights these runs in every plot.
    void pickRuns(const PickedRuns& runs);
    /// What was added to the study by itself.
    void showTried(const quadric::widgets::TriedRuns& tried);

signals:
    /// Disturbed confirmation runs are to be measured again.
    void repeatRequested(const std::vector<int>& runs);
    /// The user wants `runs` new runs at these settings to confirm the prediction.
    void confirmRequested(const quadric::study::Settings& settings, int runs);
    /// The study is to go on by itself for so many seconds of runs.
    void goOnRequested(double seconds);
    /// What runs now is to be stopped.
    void stopRequested();

private:
    QWidget* makeViews();
    void addMenu();
    void fillMenu(QMenu& menu);
    void askRunsLimit();
    void wire();
    void refresh(Change change);
    void refreshProfiler();
    void showEmpty();

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace quadric::widgets
