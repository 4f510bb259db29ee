// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/text_table.h"

#include "widgets/text/wording.h"

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace quadric::widgets {

TextTable typeset(const report::Table& table)
{
    const auto translated = [](const std::string& text) {
        return text.empty() ? QString() : tr(text.c_str());
    };
    TextTable set;
    set.caption = translated(table.caption);
    set.note = translated(table.note);
    for (const report::Column& column : table.columns)
        set.columns.push_back({nameWithUnit(translated(column.title).toStdString(), column.unit),
                               translated(column.tooltip), column.kind == report::ColumnKind::Number});
    for (const std::vector<report::Cell>& row : table.rows) {
        QStringList& cells = set.rows.emplace_back();
        for (const report::Cell& cell : row)
            cells << QString::fromStdString(formatCell(cell, text::Typography::Typeset));
    }
    return set;
}

void TextTableModel::setTable(TextTable table)
{
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}

int TextTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int TextTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QVariant TextTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const TextColumn& column = m_table.columns[static_cast<std::size_t>(index.column())];
    if (role == Qt::DisplayRole)
        return m_table.rows[static_cast<std::size_t>(index.row())].value(index.column());
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((column.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && !column.tooltip.isEmpty())
        return column.tooltip;
    return {};
}

QVariant TextTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const TextColumn& column = m_table.columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return column.title;
    if (role == Qt::ToolTipRole && !column.tooltip.isEmpty())
        return column.tooltip;
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((column.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

void TableDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const
{
    QStyleOptionViewItem ground = option;
    initStyleOption(&ground, index);
    const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &ground, painter, option.widget);
    QStyleOptionViewItem inside = option;
    inside.rect.adjust(kRoom, 0, -kRoom, 0);
    QStyledItemDelegate::paint(painter, inside, index);
}

QSize TableDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    if (!option.features.testFlag(QStyleOptionViewItem::WrapText))
        return QStyledItemDelegate::sizeHint(option, index) + QSize(2 * kRoom, 0);
    QStyleOptionViewItem inside = option;
    inside.rect.adjust(kRoom, 0, -kRoom, 0); // the lines break where paint() breaks them
    return QStyledItemDelegate::sizeHint(inside, index) + QSize(2 * kRoom, 2 * kRoom);
}

void setUpTable(QTableView& view)
{
    view.setItemDelegate(new TableDelegate(&view));
    view.horizontalHeader()->setStyleSheet(
        QStringLiteral("QHeaderView { background: palette(base); }"
                       "QHeaderView::section { background: palette(base); padding: 4px 7px; border: none;"
                       " border-bottom: 1px solid palette(mid); }"));
    view.setShowGrid(false);
    view.setFrameShape(QFrame::NoFrame);
    view.setSelectionBehavior(QAbstractItemView::SelectRows);
    view.setSelectionMode(QAbstractItemView::SingleSelection);
    view.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view.setWordWrap(false);
    view.verticalHeader()->hide();
    view.verticalHeader()->setDefaultSectionSize(24);
    view.horizontalHeader()->setHighlightSections(false);
    view.horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    view.horizontalHeader()->setMinimumSectionSize(40);
}

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
