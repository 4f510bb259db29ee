// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace quadric::widgets {

/// The log of one run with a search: Enter goes to the next place, Shift+Enter back, all places are marked.
class LogPanel : public QWidget {
    Q_OBJECT

public:
    explicit LogPanel(QWidget* parent = nullptr);

    /// Shows this text; a view that shows the end keeps showing it, another one stays where it is. `hint`
    /// stands where it is empty.
    void setText(const QString& text, const QString& hint);

    /// What stands where the text is empty from now on.
    void setHint(const QString& hint);

    /// Adds to it; a view that shows the end keeps showing it.
    void append(const QString& text);

    /// The next keys are searched for, in the place of what was.
    void goToSearch();
    void clearSearch();

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search();
    void step(int by);
    void showCount();
    void mark();

    QLineEdit* m_search = nullptr;
    QLabel* m_count = nullptr;
    QPlainTextEdit* m_text = nullptr;
    QList<int> m_places; ///< positions of the matches
    int m_current = -1;
};

} // namespace quadric::widgets
