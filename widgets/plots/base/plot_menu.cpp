// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/base/plot_menu.h"

#include "widgets/base/page.h"
#include "widgets/plots/base/picture_name.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/base/plot_picture.h"
#include "widgets/text/table_dialog.h"

#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>

namespace quadric::widgets {

namespace {

void askWhereToSave(Plot& plot, const QString& ending)
{
    auto* dialog = new QFileDialog(&plot, Plot::tr("Save picture"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(ending);
    dialog->setNameFilter(QStringLiteral("%1 (*.%2)").arg(ending.toUpper(), ending));
    dialog->selectFile(pictureName(plot, ending));
    QObject::connect(dialog, &QFileDialog::fileSelected, &plot, [&plot](const QString& path) {
        const QString problem = savePicture(plot, path);
        if (!problem.isEmpty())
            QMessageBox::warning(&plot, Plot::tr("Save picture"), problem);
    });
    dialog->open();
}

QAction* add(QMenu& menu, const QString& text, const char* name, const auto& what)
{
    QAction* action = menu.addAction(text);
    action->setObjectName(QLatin1String(name));
    QObject::connect(action, &QAction::triggered, &menu, what);
    return action;
}

/// The page that a plot is on; none: null.
Page* pageOf(const Plot& plot)
{
    for (QWidget* each = plot.parentWidget(); each != nullptr; each = each->parentWidget())
        if (auto* page = qobject_cast<Page*>(each))
            return page;
    return nullptr;
}

} // namespace

void addPlotActions(QMenu& menu, Plot& plot)
{
    add(menu, Plot::tr("&Copy picture"), "copyPicture", [&plot] { copyPicture(plot); });
    add(menu, Plot::tr("Save as &SVG…"), "saveSvg", [&plot] { askWhereToSave(plot, QStringLiteral("svg")); });
    add(menu, Plot::tr("Save as &PDF…"), "savePdf", [&plot] { askWhereToSave(plot, QStringLiteral("pdf")); });
    add(menu, Plot::tr("Save as P&NG…"), "savePng", [&plot] { askWhereToSave(plot, QStringLiteral("png")); });
    menu.addSeparator();
    add(menu, Plot::tr("View as &table…"), "viewTable", [&plot] {
        showTable(&plot, plot.table());
    })->setEnabled(!plot.table().columns.empty());
    if (!plot.about().isEmpty())
        add(menu, Plot::tr("&What is this?"), "about", [&plot] { showAbout(&plot, plot.about()); });
    if (Page* page = pageOf(plot))
        page->addRunActions(menu, plot.pickedRuns());
}

} // namespace quadric::widgets
