// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/design.h"
#include "widgets/base/job_runner.h"

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QTabWidget;

namespace quadric::widgets {

class AliasView;
class CorrelationMap;
class FdsPlot;
class PowerBars;
class QualityCard;

/// A design's evaluation, or why there is none.
struct Judgement {
    std::optional<design::Evaluation> evaluation;
    QString reason;
};

/// What the runs of a study are judged for.
struct JudgementOptions {
    std::string model = {}; ///< empty: design::largestModel()
    double effectSd = 2.0;
    bool operator==(const JudgementOptions&) const = default;
};

/// Throws what design::evaluate() throws.
design::Evaluation evaluated(const study::Study& study, const JudgementOptions& options);

Judgement judge(const study::Study& study, const JudgementOptions& options);

/// How good the runs of a study are before anything is measured: card and check list, power, prediction
/// error, correlations and aliases, each on its tab. Judges in the background; the newest study wins and the
/// old numbers stay until then.
class QualityPanel : public QWidget {
    Q_OBJECT

public:
    explicit QualityPanel(QWidget* parent = nullptr);
    void setStudy(const study::Study& study);
    /// Nothing to judge; says why.
    void clear(const QString& reason);

    const Judgement& judgement() const { return m_judgement; }
    const JudgementOptions& options() const { return m_options; }
    bool isBusy() const { return m_jobs.isBusy(); }

signals:
    void judged();

private:
    QWidget* buildQuality();
    QWidget* buildPower();
    QWidget* buildPrediction();
    void judgeAgain();
    void show(const Judgement& judgement);

    study::Study m_study;
    JudgementOptions m_options;
    Judgement m_judgement;
    JobRunner<Judgement> m_jobs;
    QTabWidget* m_tabs;
    QComboBox* m_model;
    QualityCard* m_card;
    PowerBars* m_power;
    QDoubleSpinBox* m_effect;
    FdsPlot* m_fds;
    QLabel* m_fdsWords;
    CorrelationMap* m_correlations;
    AliasView* m_aliases;
};

} // namespace quadric::widgets
