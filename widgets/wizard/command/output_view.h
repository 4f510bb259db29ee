// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/proposal/pattern_proposal.h"

#include <QPlainTextEdit>

namespace quadric::widgets {

/// What a program printed, whose numbers can be picked: with a click, or with the arrow keys and Enter.
class OutputView : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit OutputView(QWidget* parent = nullptr);

    void setOutput(const QString& output);
    QStringList lines() const;

    /// Numbers that are read already.
    void markRead(const std::vector<run::OutputPlace>& places);

    /// The number that Enter picks; empty where there is none.
    std::optional<run::OutputPlace> current() const { return m_current; }
    void setCurrent(const std::optional<run::OutputPlace>& place);

signals:
    void numberPicked(const quadric::run::OutputPlace& place);

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    std::vector<run::PrintedNumber> findPickableNumbers(qsizetype line) const;
    std::optional<run::OutputPlace> findAt(const QPoint& position) const;
    std::optional<run::OutputPlace> findBeside(int step) const;
    std::optional<run::OutputPlace> findOnLine(int step) const;
    QTextEdit::ExtraSelection select(const run::OutputPlace& place, const QColor& color) const;
    void showMarks();

    std::optional<run::OutputPlace> m_current, m_hovered;
    std::vector<run::OutputPlace> m_read;
};

} // namespace quadric::widgets
