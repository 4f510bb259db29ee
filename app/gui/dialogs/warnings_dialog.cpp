// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/warnings_dialog.h"

#include "core/report/findings/fit_findings.h"
#include "core/text/numbers.h"
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

WarningsDialog::WarningsDialog(const widgets::StudyContext& context, QWidget* parent)
    : QDialog(parent)
{
    setObjectName(QStringLiteral("warnings"));
    setWindowTitle(tr("Warnings"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* content = new QWidget;
    auto* lines = new QVBoxLayout(content);
    const std::vector<report::Warning> warnings = report::findWarnings(context.study, context.fits);
    for (const report::Warning& warning : warnings) {
        auto* title = new QLabel(widgets::nameText(text::joinWords(warning.responses)));
        QFont bold = title->font();
        bold.setWeight(QFont::DemiBold);
        title->setFont(bold);
        lines->addWidget(title);
        auto* list = new widgets::FindingsList;
        list->offerRemedies();
        list->setFindings({warning.finding});
        lines->addWidget(list);
        connect(list, &widgets::FindingsList::remedyRequested, this, [this](const report::Finding& finding) {
            accept();
            emit remedyRequested(finding);
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
