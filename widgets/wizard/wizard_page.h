// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QWidget>

namespace quadric::widgets {

/// One page of the wizard. It shows the study that is being made and asks for changes of it.
class WizardPage : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Shows the study without asking for anything; what the user is typing into is left alone where it
    /// already means the same.
    virtual void setStudy(const study::Study& study) = 0;

    /// Where problems that this page can solve start with ("factors"), as study::validate() names them;
    /// empty: none.
    virtual QStringList places() const { return {}; }

signals:
    void edited(const quadric::study::Study& after);
};

/// "Row 2 (batch): 64, expected …": a problem in words, for people who look at a table and not at a file.
QString problemWords(const study::Study& study, const study::Problem& problem);

} // namespace quadric::widgets
