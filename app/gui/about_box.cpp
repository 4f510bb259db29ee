// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/about_box.h"

#include "app/gui/frame/rail.h"
#include "widgets/base/style.h"
#include "widgets/text/about.h"
#include "widgets/text/wording.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QTextBrowser>

namespace quadric::app {

namespace {

using widgets::tr;

constexpr int kIconSize = 64;
constexpr int kTextWidth = 380;
constexpr QSize kLicenseSize(660, 560);

/// "Qt 6.4.2 · Eigen 3.4.0 · …", for reports of errors.
QString libraries()
{
    return QStringLiteral("Qt %1 · " QUADRIC_LIBRARIES).arg(QLatin1String(qVersion()));
}

QString aboutText()
{
    return tr("Design experiments, run them, and find the best settings.\n\n"
              "Free software under the GNU General Public License, version 3 or later. It comes with no "
              "warranty.\n\n%1")
        .arg(libraries());
}

QLabel* addressLabel()
{
    const QString address = QStringLiteral(QUADRIC_HOMEPAGE);
    auto* label = new QLabel(QStringLiteral("<a href=\"%1\">%1</a>").arg(address.toHtmlEscaped()));
    label->setTextFormat(Qt::RichText);
    label->setObjectName(QStringLiteral("homepage"));
    label->setOpenExternalLinks(true);
    label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    label->setVisible(!address.isEmpty());
    return label;
}

void showLicense(QWidget* window)
{
    QFile file(QStringLiteral(":/LICENSE"));
    if (!file.open(QIODevice::ReadOnly))
        return;
    QDialog& dialog = widgets::showTextDialog(window, tr("GNU General Public License"), QString());
    dialog.setObjectName(QStringLiteral("license"));
    dialog.resize(kLicenseSize);
    auto* text = dialog.findChild<QTextBrowser*>();
    text->setFont(widgets::fixedFont());
    text->setPlainText(QString::fromUtf8(file.readAll()));
}

QDialogButtonBox* makeButtons(QDialog& dialog)
{
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* license = buttons->addButton(tr("&License"), QDialogButtonBox::ActionRole);
    license->setObjectName(QStringLiteral("showLicense"));
    buttons->button(QDialogButtonBox::Close)->setDefault(true);
    buttons->button(QDialogButtonBox::Close)->setFocus();
    QObject::connect(license, &QPushButton::clicked, &dialog, [&dialog] { showLicense(&dialog); });
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::close);
    return buttons;
}

} // namespace

void showAbout(QWidget& window)
{
    auto* dialog = new QDialog(&window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("about"));
    dialog->setWindowTitle(tr("About Quadric"));
    auto* icon = new QLabel;
    icon->setAccessibleName(tr("Icon of Quadric"));
    icon->setPixmap(programIcon().pixmap(QSize(kIconSize, kIconSize), window.devicePixelRatioF()));
    auto* text = new QLabel(aboutText());
    text->setObjectName(QStringLiteral("aboutText"));
    text->setWordWrap(true);
    text->setFixedWidth(kTextWidth);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);

    auto* layout = new QGridLayout(dialog);
    layout->setContentsMargins(widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap,
                               widgets::kGroupGap);
    layout->setHorizontalSpacing(widgets::kGroupGap);
    layout->addWidget(icon, 0, 0, 3, 1, Qt::AlignTop);
    layout->addWidget(widgets::titleLabel(tr("Quadric %1").arg(QStringLiteral(QUADRIC_VERSION))), 0, 1);
    layout->addWidget(text, 1, 1);
    layout->addWidget(addressLabel(), 2, 1);
    layout->addWidget(makeButtons(*dialog), 3, 0, 1, 2);
    dialog->open();
}

} // namespace quadric::app
