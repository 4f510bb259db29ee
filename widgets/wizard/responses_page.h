// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/renames.h"
#include "widgets/wizard/wizard_page.h"

class QPushButton;

namespace quadric::widgets {

class ChoiceDelegate;
class ResponseTableModel;
class Spreadsheet;

/// What is measured and what is wanted of it.
class ResponsesPage : public WizardPage {
    Q_OBJECT

public:
    explicit ResponsesPage(QWidget* parent = nullptr);
    void setStudy(const study::Study& study) override;
    QStringList refusals() const override;

private:
    void take();
    void addResponse();
    void removeResponse();

    study::Study m_study;
    run::RenameTracker m_names;
    ResponseTableModel* m_model;
    Spreadsheet* m_table;
    ChoiceDelegate* m_measured;
    QPushButton* m_remove = nullptr;
};

} // namespace quadric::widgets
