// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace quadric::widgets {

/// Text that changes many times a second. It keeps the room of a fixed number of lines, so that nothing
/// around it is laid out anew; what does not fit ends in "…" and can be read whole in the tooltip, above what
/// setToolTip() says; or, where it must be read whole, the room grows and does not shrink again at the same
/// width. The context menu copies it.
class SteadyLabel : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString text READ text WRITE setText)

public:
    explicit SteadyLabel(int lines = 1, QWidget* parent = nullptr);

    void setText(const QString& text);
    const QString& text() const { return m_text; }
    /// Never ends in "…".
    void setGrowing(bool isGrowing);
    void setAlignment(Qt::Alignment alignment);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

private:
    int countLines() const;
    void grow();

    QString m_text;
    int m_lines;
    int m_fewest = m_lines; ///< where it grows
    bool m_isGrowing = false;
    Qt::Alignment m_alignment = Qt::AlignLeft;
    bool m_isCut = false;
};

} // namespace quadric::widgets
