// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/views/answer_view.h"

#include <QTabWidget>

#include <vector>

namespace quadric::widgets {

/// The views of an answer, one visible at a time. Only that one costs anything while the user drags.
class ViewDeck : public QTabWidget {
    Q_OBJECT

public:
    explicit ViewDeck(const OptimizeSession& session, QWidget* parent = nullptr);

    void add(AnswerView* view, const ViewKind& kind);
    void refresh(Change change);
    void pickRuns(const PickedRuns& runs);

signals:
    void settingsPicked(const quadric::study::Settings& settings);
    void runsPicked(const quadric::widgets::PickedRuns& runs);
    void deviationRequested(const QString& factor, double sd);
    void runsRequested(const std::vector<quadric::study::Settings>& settings);
    void goOnRequested(double seconds);
    void stopRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void showCurrent();
    void explain();

    const OptimizeSession& m_session;
    std::vector<AnswerView*> m_views;
    std::vector<std::optional<Change>> m_missed; ///< what each view has not been told yet
};

} // namespace quadric::widgets
