// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/warnings_dialog.h"

#include "widgets/base/style.h"
#include "widgets/gallery/gallery.h"
#include "widgets/plots/view_kind.h"
#include "widgets/text/about.h"
#include "widgets/text/findings_list.h"
#include "widgets/text/wording.h"

#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

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

namespace {

constexpr QSize kFirstSize{720, 520};

} // namespace

std::vector<report::ResponseFinding> findWarnings(const widgets::StudyContext& context)
{
    return report::findWarnings(context.fits, context.scales);
}

WarningsDialog::WarningsDialog(const widgets::StudyContext& context, QWidget* parent)
    : QDialog(parent)
{
    setObjectName(QStringLiteral("warnings"));
    setWindowTitle(tr("Warnings"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* content = new QWidget;
    auto* lines = new QVBoxLayout(content);
    const std::vector<report::ResponseFinding> warnings = findWarnings(context);
    for (std::size_t i = 0; i < context.fits.size(); ++i) {
        std::vector<report::Finding> findings;
        for (const report::ResponseFinding& each : warnings)
            if (each.response == context.fits[i].response)
                findings.push_back(each.finding);
        if (findings.empty())
            continue;
        auto* title = new QLabel(widgets::nameText(context.fits[i].response));
        QFont bold = title->font();
        bold.setWeight(QFont::DemiBold);
        title->setFont(bold);
        lines->addWidget(title);
        auto* list = new widgets::FindingsList;
        list->offerRemedies();
        list->setFindings(findings);
        lines->addWidget(list);
        connect(list, &widgets::FindingsList::remedyRequested, this,
                [this, i](const report::Finding& finding) {
                    accept();
                    emit remedyRequested(finding, int(i));
                });
    }
    if (warnings.empty())
        lines->addWidget(new QLabel(tr("No warnings.")));
    lines->addStretch();
    auto* scroll = new QScrollArea;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(scroll, 1);
    layout->addWidget(buttons);
    widgets::resizeWithinScreen(*this, kFirstSize);
}

} // namespace quadric::app
