// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/wizard/wizard_page.h"

class QCheckBox;
class QFormLayout;
class QLabel;
class QSpinBox;

namespace quadric::widgets {

class ChoiceCard;
class DesignCube;
class QualityCard;
class RunMatrixModel;

/// How the runs are laid out, with the runs themselves, the cube and the quality beside it.
class LayoutPage : public WizardPage {
    Q_OBJECT

public:
    explicit LayoutPage(QWidget* parent = nullptr);
    void setStudy(const study::Study& study) override;
    QStringList places() const override
    {
        return {QStringLiteral("design"), QStringLiteral("runs"), QStringLiteral("constraints")};
    }

    /// A study with results keeps its runs: nothing can be changed here.
    void lock(const QString& reason);

private:
    QWidget* buildChoices();
    QWidget* buildPreview();
    QSpinBox* addNumber(QFormLayout& form, const QString& name, const char* objectName, int least, int most,
                        const QString& explanation);
    void take();

    study::Study m_study;
    std::vector<std::pair<std::string, ChoiceCard*>> m_cards;
    QWidget* m_choices;
    QLabel* m_lock;
    QSpinBox* m_centerRuns;
    QSpinBox* m_replicates;
    QSpinBox* m_seed;
    QCheckBox* m_randomize;
    RunMatrixModel* m_runs;
    DesignCube* m_cube;
    QualityCard* m_quality;
};

} // namespace quadric::widgets
