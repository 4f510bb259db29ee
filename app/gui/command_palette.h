// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/palette.h"

#include <QDialog>
#include <QString>

class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace quadric::app {

/// How well `query` finds `text`; 0: not at all. Each word of the query has to be there: as a whole word, at
/// the start of one, inside of one, or as letters in their order from the start of one, in this order of
/// worth. Case and accents do not count; of equal texts the shorter one is found better. An empty query finds
/// everything equally well.
int fuzzyScore(const QString& query, const QString& text);

/// One line to type into, and below it what it finds, the best first. Up and Down choose, Return does it, Esc
/// closes. What cannot be done now stands there in gray with the reason.
class CommandPalette : public QDialog {
    Q_OBJECT

public:
    CommandPalette(std::vector<PaletteEntry> entries, QWidget* parent);

    /// What is found now, the best first.
    std::vector<const PaletteEntry*> found() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void find(const QString& query);
    void addRow(std::size_t entry);
    void move(int step);
    void speak();
    void run(const QTreeWidgetItem* row);

    std::vector<PaletteEntry> m_entries;
    QLineEdit* m_line;
    QTreeWidget* m_list;
};

} // namespace quadric::app
