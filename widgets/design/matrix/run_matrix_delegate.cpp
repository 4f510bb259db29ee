// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/matrix/run_matrix_delegate.h"

#include "widgets/base/theme.h"
#include "widgets/design/matrix/run_matrix_model.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QPointer>
#include <QSortFilterProxyModel>

#include <optional>

namespace quadric::widgets {

namespace {

constexpr int kRowTint = 26; ///< of 255

/// What a key means to an editor; nothing: the editor's own affair. The arrows of a list choose from it.
std::optional<CellMove> moveFor(const QKeyEvent& key, const QObject* editor)
{
    const bool isBack = key.modifiers().testFlag(Qt::ShiftModifier);
    const bool isLine = qobject_cast<const QLineEdit*>(editor) != nullptr;
    switch (key.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return isBack ? CellMove::Up : CellMove::Down;
    case Qt::Key_Tab:
        return CellMove::Next;
    case Qt::Key_Backtab:
        return CellMove::Previous;
    case Qt::Key_Down:
        return isLine ? std::optional(CellMove::Down) : std::nullopt;
    case Qt::Key_Up:
        return isLine ? std::optional(CellMove::Up) : std::nullopt;
    default:
        return std::nullopt;
    }
}

} // namespace

RunMatrixDelegate::RunMatrixDelegate(const RunMatrixModel& model, const QSortFilterProxyModel& sorted,
                                     QObject* parent)
    : TableDelegate(parent)
    , m_model(model)
    , m_sorted(sorted)
{
}

/// The row of the present cell is tinted, the cell itself framed instead of filled.
void RunMatrixDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const
{
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    const QModelIndex current = view ? view->currentIndex() : QModelIndex();
    const bool isPresent = current.isValid() && index == current;
    QStyleOptionViewItem cell = option;
    cell.state.setFlag(QStyle::State_HasFocus, false);
    if (isPresent) {
        cell.state.setFlag(QStyle::State_Selected, false);
        painter->fillRect(option.rect, option.palette.base()); // the view has filled what is selected
    }
    QColor tint = option.palette.color(QPalette::Highlight);
    tint.setAlpha(kRowTint);
    if (current.isValid() && index.row() == current.row() && !cell.state.testFlag(QStyle::State_Selected))
        painter->fillRect(option.rect, tint);
    TableDelegate::paint(painter, cell, index);
    if (!isPresent)
        return;
    painter->save();
    painter->setPen(QPen(plotColors(option.palette).accent, 2.0));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(QRectF(option.rect).adjusted(1.0, 1.0, -1.0, -1.0));
    painter->restore();
}

bool RunMatrixDelegate::eventFilter(QObject* object, QEvent* event)
{
    auto* editor = qobject_cast<QWidget*>(object);
    if (!editor || event->type() != QEvent::KeyPress)
        return TableDelegate::eventFilter(object, event);
    const auto move = moveFor(*static_cast<QKeyEvent*>(event), editor);
    if (!move)
        return TableDelegate::eventFilter(object, event);
    const QPointer<QWidget> alive(editor); // the study may have changed so much that the table is another
    emit commitData(editor);
    if (alive)
        emit closeEditor(editor, NoHint);
    emit left(*move);
    return true;
}

QWidget* RunMatrixDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&,
                                         const QModelIndex& index) const
{
    const QPersistentModelIndex cell(index);
    const QStringList levels = listLevels(columnOf(index));
    if (levels.isEmpty()) {
        auto* line = new QLineEdit(parent);
        line->setFrame(false);
        line->setAlignment(Qt::AlignRight);
        connect(line, &QLineEdit::textEdited, this, [this, cell](const QString& text) { tell(cell, text); });
        return line;
    }
    auto* box = new QComboBox(parent);
    box->addItems(levels);
    connect(box, &QComboBox::currentTextChanged, this,
            [this, cell](const QString& text) { tell(cell, text); });
    auto* self = const_cast<RunMatrixDelegate*>(this); // the delegate's signals are not const
    connect(box, &QComboBox::activated, self, [self, box] {
        emit self->commitData(box);
        emit self->closeEditor(box);
    });
    return box;
}

void RunMatrixDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    const QString text = index.data(Qt::EditRole).toString();
    if (auto* line = qobject_cast<QLineEdit*>(editor))
        line->setText(text);
    else if (auto* box = qobject_cast<QComboBox*>(editor))
        box->setCurrentIndex(box->findText(text));
}

void RunMatrixDelegate::setModelData(QWidget* editor, QAbstractItemModel* model,
                                     const QModelIndex& index) const
{
    if (const auto* line = qobject_cast<QLineEdit*>(editor))
        model->setData(index, line->text(), Qt::EditRole);
    else if (const auto* box = qobject_cast<QComboBox*>(editor))
        model->setData(index, box->currentText(), Qt::EditRole);
}

void RunMatrixDelegate::destroyEditor(QWidget* editor, const QModelIndex& index) const
{
    TableDelegate::destroyEditor(editor, index);
    emit const_cast<RunMatrixDelegate*>(this)->typingEnded();
}

const MatrixColumn& RunMatrixDelegate::columnOf(const QModelIndex& index) const
{
    return m_model.matrix().columns()[size_t(index.column())];
}

/// The values of a factor that can only take a few.
QStringList RunMatrixDelegate::listLevels(const MatrixColumn& column) const
{
    QStringList levels;
    if (column.kind != MatrixColumn::Setting)
        return levels;
    const study::Factor& factor = m_model.matrix().factors()[column.index];
    for (const std::string& category : factor.categories)
        levels << QString::fromStdString(category);
    if (factor.type == study::FactorType::Discrete)
        for (const double level : factor.levels)
            levels << QString::fromStdString(study::toText(level));
    return levels;
}

void RunMatrixDelegate::tell(const QPersistentModelIndex& index, const QString& text) const
{
    const MatrixColumn& column = columnOf(index);
    if (column.kind == MatrixColumn::Setting)
        emit const_cast<RunMatrixDelegate*>(this)->settingTyping(
            m_model.runIdAt(m_sorted.mapToSource(index).row()),
            QString::fromStdString(m_model.matrix().nameOf(column)), text);
}

} // namespace quadric::widgets
