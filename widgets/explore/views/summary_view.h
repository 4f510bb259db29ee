// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/views/table_view.h"

class QSpinBox;

namespace quadric::widgets {

/// The models of rising order side by side, and a cross-validation of the one that is shown, in folds that
/// the user chooses.
class SummaryView : public TableView {
    Q_OBJECT

public:
    SummaryView();

    void showFit(const study::Study& study, const model::Fit& fit) override;

private:
    void validate();

    QSpinBox* m_folds;
    QLabel* m_outcome;
    model::Fit m_fit;
};

} // namespace quadric::widgets
