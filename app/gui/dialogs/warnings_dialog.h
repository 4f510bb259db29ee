// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/finding.h"
#include "widgets/base/page.h"

#include <QDialog>
#include <QString>

class QWidget;

namespace quadric::app {

/// Opens the help text of a page beside the window, without blocking it. `topic` is a file of resources/help
/// without its ending.
void showHelp(QWidget* window, const QString& topic);

/// Opens what the view is that has the focus in the window; false where none has it.
bool showHelpOnFocus(QWidget& window);

/// Lists the causes for caution that the rail counts, each once with its responses and a button that does
/// what it advises.
class WarningsDialog : public QDialog {
    Q_OBJECT

public:
    WarningsDialog(const widgets::StudyContext& context, QWidget* parent);

signals:
    void remedyRequested(const quadric::report::Finding& finding);
};

} // namespace quadric::app
