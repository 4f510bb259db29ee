// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace quadric::widgets {

/// Text that changes many times a second. It keeps the room of a fixed number of lines, so that nothing
/// around it is laid out anew; what does not fit ends in "…" and can be read whole in the tooltip, above what
/// setToolTip() says. The context menu copies it.
class SteadyLabel : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString text READ text WRITE setText)

public:
    explicit SteadyLabel(int lines = 1, QWidget* parent = nullptr);

    void setText(const QString& text);
    const QString& text() const { return m_text; }
    void setAlignment(Qt::Alignment alignment);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

private:
    QString m_text;
    int m_lines;
    Qt::Alignment m_alignment = Qt::AlignLeft;
    bool m_isCut = false;
};

} // namespace quadric::widgets
