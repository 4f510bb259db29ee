// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/run_matrix_delegate.h"

#include "widgets/design/run_matrix_model.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSortFilterProxyModel>

namespace quadric::widgets {

RunMatrixDelegate::RunMatrixDelegate(const RunMatrixModel& model, const QSortFilterProxyModel& sorted,
                                     QObject* parent)
    : TableDelegate(parent)
    , m_model(model)
    , m_sorted(sorted)
{
}

QWidget* RunMatrixDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&,
                                         const QModelIndex& index) const
{
    const QPersistentModelIndex cell(index);
    const QStringList levels = levelsOf(columnOf(index));
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
QStringList RunMatrixDelegate::levelsOf(const MatrixColumn& column) const
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
