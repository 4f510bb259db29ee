// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/table_dialog.h"

#include "widgets/text/text_table_model.h"

#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

QString plainNumber(QString text)
{
    constexpr QChar kMinus{0x2212}, kGroupSpace{0x202F};
    return text.replace(kMinus, QLatin1Char('-')).remove(kGroupSpace);
}

QString plainCell(QString text)
{
    return text.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

} // namespace

QString tabSeparated(const TextTable& table)
{
    QStringList header;
    for (const TextColumn& column : table.columns)
        header << plainCell(column.title);
    QStringList lines{header.join(QLatin1Char('\t'))};
    for (const QStringList& row : table.rows) {
        QStringList cells;
        for (qsizetype i = 0; i < row.size(); ++i) {
            const bool isNumber = i < std::ssize(table.columns) && table.columns[std::size_t(i)].isNumber;
            cells << plainCell(isNumber ? plainNumber(row[i]) : row[i]);
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void showTable(QWidget* parent, const TextTable& table)
{
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("table"));
    dialog->setWindowTitle(table.caption);
    dialog->resize(640, 440);
    auto* model = new TextTableModel(dialog);
    model->setTable(table);
    auto* view = new QTableView;
    setUpTable(*view);
    view->setModel(model);
    view->setAccessibleName(table.caption);
    auto* note = new QLabel(table.note);
    note->setWordWrap(true);
    note->setVisible(!table.note.isEmpty());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* copy = buttons->addButton(QDialog::tr("&Copy"), QDialogButtonBox::ActionRole);
    copy->setObjectName(QStringLiteral("copy"));
    QObject::connect(copy, &QPushButton::clicked, dialog,
                     [table] { QGuiApplication::clipboard()->setText(tabSeparated(table)); });
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->addWidget(view);
    layout->addWidget(note);
    layout->addWidget(buttons);
    dialog->show();
}

} // namespace quadric::widgets
