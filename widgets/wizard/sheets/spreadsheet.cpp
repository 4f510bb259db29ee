// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/sheets/spreadsheet.h"

#include "widgets/base/style.h"
#include "widgets/wizard/sheets/sheet_model.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

constexpr int kArrow = 2 * kGap;

/// The cells of what a spreadsheet copies: rows by lines, cells by tabs; without tabs, by semicolons.
std::vector<QStringList> cellsIn(const QString& text)
{
    static const QRegularExpression lineEnds(QStringLiteral("\r\n|\r|\n"));
    const QChar separator = text.contains(QLatin1Char('\t')) ? QLatin1Char('\t') : QLatin1Char(';');
    std::vector<QStringList> rows;
    for (const QString& line : text.split(lineEnds))
        if (!line.trimmed().isEmpty())
            rows.push_back(line.split(separator));
    return rows;
}

/// Letters choose by all that was typed into the cell, however slowly: "maxi", a pause and "mize" are no
/// search for "mi".
class TypedChoice : public QComboBox {
public:
    using QComboBox::QComboBox;

protected:
    void keyPressEvent(QKeyEvent* event) override
    {
        const QString key = event->text();
        if (isEditable() || key.isEmpty() || !key.front().isLetterOrNumber())
            return QComboBox::keyPressEvent(event);
        m_typed = findText(m_typed + key, Qt::MatchStartsWith) >= 0 ? m_typed + key : key;
        if (const int found = findText(m_typed, Qt::MatchStartsWith); found >= 0)
            setCurrentIndex(found);
    }

private:
    QString m_typed;
};

} // namespace

ChoiceDelegate::ChoiceDelegate(QStringList choices, bool isOpen, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_choices(std::move(choices))
    , m_isOpen(isOpen)
{
}

QWidget* ChoiceDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const
{
    auto* box = new TypedChoice(parent);
    box->addItems(m_choices);
    box->setEditable(m_isOpen);
    box->setInsertPolicy(QComboBox::NoInsert);
    if (m_isOpen)
        box->setCompleter(nullptr); // a name is what was typed, and no longer one that begins like it
    auto* self = const_cast<ChoiceDelegate*>(this); // the delegate's signals are not const
    connect(box, &QComboBox::activated, self, [self, box] {
        emit self->commitData(box);
        emit self->closeEditor(box);
    });
    return box;
}

/// With room for the arrow of the editor.
QSize ChoiceDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return QStyledItemDelegate::sizeHint(option, index) + QSize(kArrow, 0);
}

void ChoiceDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    auto* box = static_cast<QComboBox*>(editor);
    const QString text = index.data(Qt::EditRole).toString();
    box->setCurrentIndex(box->findText(text));
    if (m_isOpen) {
        box->setEditText(text);
        box->lineEdit()->selectAll(); // the first key replaces it
    }
}

void ChoiceDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const
{
    model->setData(index, static_cast<QComboBox*>(editor)->currentText(), Qt::EditRole);
}

Spreadsheet::Spreadsheet(SheetModel& sheet, QWidget* parent)
    : QTableView(parent)
    , m_sheet(sheet)
{
    setEditTriggers(DoubleClicked | EditKeyPressed | AnyKeyPressed | SelectedClicked);
    setSelectionMode(ContiguousSelection);
    setStyleSheet(
        QStringLiteral("QHeaderView { background: palette(base); }"
                       "QHeaderView::section { background: palette(base); padding: 4px 4px; border: none;"
                       " border-bottom: 1px solid palette(mid); }"));
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 2 * kGap);
    horizontalHeader()->setHighlightSections(false);
    setModel(&sheet);
    connect(&sheet, &QAbstractItemModel::modelReset, this, &Spreadsheet::fitColumns);
    connect(&sheet, &QAbstractItemModel::rowsInserted, this, &Spreadsheet::fitColumns);
    connect(&sheet, &QAbstractItemModel::dataChanged, this, &Spreadsheet::fitColumns);
    fitColumns();
}

int Spreadsheet::currentRow() const
{
    const int row = currentIndex().isValid() ? currentIndex().row() : -1;
    return row < m_sheet.recordCount() ? row : -1;
}

void Spreadsheet::focusInEvent(QFocusEvent* event)
{
    QTableView::focusInEvent(event);
    needCell();
}

/// There is always a cell that keys go to.
void Spreadsheet::needCell()
{
    if (!currentIndex().isValid())
        setCurrentIndex(m_sheet.index(0, 0));
}

void Spreadsheet::keyPressEvent(QKeyEvent* event)
{
    needCell();
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    bool isDone = true;
    if (state() == EditingState)
        isDone = isEnter; // the cell hands over its text by itself
    else if (isEnter)
        isDone = goDown();
    else if (event->key() == Qt::Key_Tab || event->key() == Qt::Key_Backtab)
        isDone = goTo(event->key() == Qt::Key_Tab ? 1 : -1);
    else if (event->matches(QKeySequence::Copy))
        copy();
    else if (event->matches(QKeySequence::Paste))
        paste();
    else if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace)
        emptyCells();
    else {
        QTableView::keyPressEvent(event);
        return;
    }
    event->setAccepted(isDone);
}

/// A click on the current cell opens it at once: keys that come while Qt waits for a double click are lost.
bool Spreadsheet::edit(const QModelIndex& index, EditTrigger trigger, QEvent* event)
{
    return trigger == SelectedClicked ? QTableView::edit(index, AllEditTriggers, nullptr)
                                      : QTableView::edit(index, trigger, event);
}

/// Enter and Tab leave a cell as they do where nothing is being typed.
void Spreadsheet::closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint)
{
    QTableView::closeEditor(editor, QAbstractItemDelegate::NoHint);
    if (hint == QAbstractItemDelegate::SubmitModelCache)
        goDown();
    else if (hint == QAbstractItemDelegate::EditNextItem)
        goTo(1);
    else if (hint == QAbstractItemDelegate::EditPreviousItem)
        goTo(-1);
}

/// False on the empty row, under which there is nothing.
bool Spreadsheet::goDown()
{
    const QModelIndex at = currentIndex();
    if (!at.isValid() || at.row() >= m_sheet.recordCount())
        return false;
    setCurrentIndex(at.siblingAtRow(at.row() + 1));
    return true;
}

/// The next cell that is typed into, or the one before; the empty row has only its first one. False where
/// there is none: the focus leaves the table.
bool Spreadsheet::goTo(int step)
{
    const int columns = m_sheet.columnCount();
    const int last = m_sheet.recordCount() * columns;
    const int present = currentIndex().row() * columns + currentIndex().column();
    for (int cell = step > 0 ? present + 1 : std::min(present - 1, last); cell >= 0 && cell <= last;
         cell += step) {
        const QModelIndex next = m_sheet.index(cell / columns, cell % columns);
        if (next.flags().testFlag(Qt::ItemIsEditable)) {
            setCurrentIndex(next);
            return true;
        }
    }
    return false;
}

void Spreadsheet::copy() const
{
    QModelIndexList cells = selectionModel()->selectedIndexes();
    std::sort(cells.begin(), cells.end());
    QString text;
    for (qsizetype i = 0; i < cells.size(); ++i) {
        if (i > 0)
            text += cells[i].row() == cells[i - 1].row() ? QLatin1Char('\t') : QLatin1Char('\n');
        text += cells[i].data(Qt::EditRole).toString();
    }
    if (!cells.isEmpty())
        QGuiApplication::clipboard()->setText(text);
}

void Spreadsheet::paste()
{
    const QModelIndex at = currentIndex();
    m_sheet.paste(at.isValid() ? at.row() : m_sheet.recordCount(), at.isValid() ? at.column() : 0,
                  cellsIn(QGuiApplication::clipboard()->text()));
}

void Spreadsheet::emptyCells()
{
    for (const QModelIndex& cell : selectionModel()->selectedIndexes())
        if (cell.row() < m_sheet.recordCount() && cell.flags().testFlag(Qt::ItemIsEditable))
            m_sheet.setData(cell, QString(), Qt::EditRole);
}

void Spreadsheet::fitColumns()
{
    const int least = fontMetrics().horizontalAdvance(QStringLiteral("linear")) + 3 * kGap;
    for (int column = 0; column < model()->columnCount(); ++column)
        setColumnWidth(column, std::max(least, std::max(sizeHintForColumn(column),
                                                        horizontalHeader()->sectionSizeHint(column)) +
                                                   kGap));
}

void layOutTable(QWidget& page, Spreadsheet& table, const QList<QWidget*>& buttons)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(kGap);
    for (QWidget* button : buttons)
        row->addWidget(button);
    row->addStretch();
    auto* layout = marginless<QVBoxLayout>(&page, kGap);
    layout->addWidget(&table, 1);
    layout->addLayout(row);
}

} // namespace quadric::widgets
