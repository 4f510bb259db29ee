// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/optimum.h"
#include "widgets/base/job_runner.h"

#include <QWidget>

class QComboBox;

namespace quadric::widgets {

class FrontPlot;

/// The trade-off front of two responses that the user chooses. The search runs in the background on a copy of
/// the study while the view can be seen; the newest request wins.
class TradeOffView : public QWidget {
    Q_OBJECT

public:
    explicit TradeOffView(QWidget* parent = nullptr);

    void setStudy(const study::Study& study, const std::vector<model::Fit>& fits);
    /// The predictions at the setting that the profiler shows.
    void setShown(const optimize::Optimum& shown);

signals:
    void settingsPicked(const quadric::study::Settings& settings);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fillChoosers();
    void search();
    void showFront();
    void showMark();

    QComboBox* m_x = nullptr;
    QComboBox* m_y = nullptr;
    FrontPlot* m_plot = nullptr;
    study::Study m_study;
    std::vector<model::Fit> m_fits;
    std::vector<optimize::FrontPoint> m_front;
    std::vector<optimize::ResponseAtOptimum> m_shown;
    bool m_isOutdated = false;
    JobRunner<std::vector<optimize::FrontPoint>> m_job;
};

} // namespace quadric::widgets
