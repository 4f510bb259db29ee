// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/palette_entries.h"

#include <QDialog>

class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace quadric::app {

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
