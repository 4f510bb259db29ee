// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/help.h"

#include "widgets/gallery/view_registry.h"
#include "widgets/plots/shown_view.h"
#include "widgets/text/text_dialog.h"

#include <QDialog>
#include <QFile>

namespace quadric::app {

void showHelp(QWidget* window, const QString& topic)
{
    QFile file(QStringLiteral(":/help/%1.md").arg(topic));
    if (file.open(QIODevice::ReadOnly))
        widgets::showTextDialog(window, QDialog::tr("Help"), QString::fromUtf8(file.readAll()))
            .setObjectName(QStringLiteral("help"));
}

bool showHelpOnFocus(QWidget& window)
{
    const std::string view = widgets::viewShownBy(window.focusWidget());
    const widgets::ViewKind* kind = widgets::findView(widgets::viewKinds(), view);
    if (kind == nullptr)
        return false;
    widgets::showAbout(&window, widgets::aboutView(*kind));
    return true;
}

} // namespace quadric::app
