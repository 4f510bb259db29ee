// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QStringList>
#include <QWidget>

namespace quadric::widgets {

/// One page of the wizard. It shows the study that is being made and asks for changes of it. Its focus proxy
/// is where typing begins.
class WizardPage : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Shows the study without asking for anything; what the user is typing into is left alone where it
    /// already means the same.
    virtual void setStudy(const study::Study& study) = 0;

    /// What was typed here and cannot be in a study, in words; empty: nothing.
    virtual QStringList refusals() const { return {}; }

signals:
    void edited(const quadric::study::Study& after);
};

} // namespace quadric::widgets
