// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/forms/device_list.h"

#include "widgets/base/style.h"

#include <QGridLayout>

namespace quadric::widgets {

namespace {

QString peersOf(const run::TrainerGpu& gpu)
{
    QStringList peers;
    for (const int peer : gpu.nvlinkPeers)
        peers << QString::number(peer);
    return peers.isEmpty() ? DeviceList::tr("none") : peers.join(QStringLiteral(", "));
}

QString memoryOf(const run::TrainerGpu& gpu)
{
    return DeviceList::tr("%1 of %2 GiB").arg(gpu.freeGib, 0, 'f', 1).arg(gpu.memoryGib, 0, 'f', 1);
}

QLabel* cell(const QString& text)
{
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QLabel* heading(const QString& text)
{
    QLabel* label = mutedLabel(text);
    label->setWordWrap(false);
    return label;
}

/// In short lines: a label that wraps by itself would ask for its height only when its width is known.
QString usersOf(const run::TrainerGpu& gpu)
{
    if (gpu.users.empty())
        return DeviceList::tr("not in use");
    QString users = QString::fromStdString(gpu.users);
    return users.replace(QStringLiteral(", "), QStringLiteral("\n"))
        .replace(QStringLiteral(" ("), QStringLiteral("\n("));
}

void addRow(QGridLayout* grid, int row, const run::TrainerGpu& gpu)
{
    const QStringList texts = {QString::number(gpu.index) + QLatin1Char(' ') +
                                   QString::fromStdString(gpu.name),
                               memoryOf(gpu), QString::fromStdString(gpu.pci), peersOf(gpu), usersOf(gpu)};
    for (int column = 0; column < texts.size(); ++column)
        grid->addWidget(cell(texts[column]), row, column, Qt::AlignTop);
}

} // namespace

DeviceList::DeviceList(const run::TrainerDevices& devices, QWidget* parent)
    : QWidget(parent)
{
    nameWidget(this, "deviceList", tr("GPUs of this machine"));
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, kGap);
    rows->setSpacing(kGap / 2);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(kGroupGap);
    grid->setVerticalSpacing(kGap / 2);
    rows->addLayout(grid);
    const QStringList headings = {tr("GPU"), tr("Free memory"), tr("PCI"), tr("NVLink to"), tr("Used by")};
    int row = 0;
    for (int column = 0; !devices.gpus.empty() && column < headings.size(); ++column)
        grid->addWidget(heading(headings[column]), row, column);
    for (const run::TrainerGpu& gpu : devices.gpus)
        addRow(grid, ++row, gpu);
    QString about = QString::fromStdString(devices.about);
    if (!devices.gpus.empty() && !devices.driver.empty())
        about = tr("Driver %1.").arg(QString::fromStdString(devices.driver)) + QLatin1Char(' ') + about;
    QLabel* sentence = mutedLabel(about);
    sentence->setTextFormat(Qt::PlainText);
    grid->setColumnStretch(static_cast<int>(headings.size()) - 1, 1);
    rows->addWidget(sentence); // below the grid: a label across columns gets the height of a wider one
    sentence->setVisible(!about.isEmpty()); // only now: without a parent it would be a window
}

} // namespace quadric::widgets
