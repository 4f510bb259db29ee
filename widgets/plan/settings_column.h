// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plan/plan_session.h"

class QPushButton;

namespace quadric::widgets {

class FactorSliders;

/// The settings that are planned with: a slider for each factor, and the way back to the fastest ones.
class SettingsColumn : public QWidget {
    Q_OBJECT

public:
    explicit SettingsColumn(QWidget* parent = nullptr);

    /// `hidden`: a factor that the figure shows along an axis; empty: none.
    void showSettings(const PlanSource& source, const std::string& hidden = {});

signals:
    void settingHeld(const QString& factor, const quadric::study::Value& value);
    void fastestRequested();

private:
    FactorSliders* m_sliders = nullptr;
    QPushButton* m_fastest = nullptr;
};

} // namespace quadric::widgets
