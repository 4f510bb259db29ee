// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QObject>
#include <QString>
#include <QWidget>

namespace quadric::widgets {
class AuditDialog;
class ImportDialog;
} // namespace quadric::widgets

namespace quadric::app {

/// Covers its window while a file is dragged over it, and says what dropping it does, or why nothing.
class DropOverlay : public QWidget {
    Q_OBJECT

public:
    explicit DropOverlay(QWidget& window);

    void showWords(const QString& words, bool isWelcome);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_words;
    bool m_isWelcome = false;
};

class StudyEditor;

/// Files of other tools, in and out, and the audit of somebody's conclusions: asks for the files, reads and
/// writes them, and opens the dialogs. Files dropped on the window are taken too.
class Exchange : public QObject {
    Q_OBJECT

public:
    /// `window` is what the dialogs belong to.
    Exchange(StudyEditor& editor, QWidget& window);

    /// True for files that importFile() may understand, by their names.
    static bool canImport(const QString& path);

public slots:
    /// A study, a table or configuration of another tool, or a script that becomes a study.
    void openFile(const QString& path);
    void chooseImport();
    void importFile(const QString& path);
    void chooseExport();
    /// Writes what the path's ending says, or where it has none the filter; failed() where the path is a
    /// study.
    void exportTo(const QString& path, const QString& filter);
    /// The runs for a spreadsheet, or runs and models as Markdown, on the clipboard.
    void copyRuns();
    void copyTables();
    /// Holds the claims beside the open study, if there are any, against its runs.
    void showAudit();
    /// Asks for another study, and holds the open one against it.
    void chooseComparison();
    void compareWith(const QString& path);

signals:
    void studyChosen(const QString& path);
    void scriptChosen(const QString& path);
    void studyImported(const quadric::study::Study& study);
    void failed(const QString& title, const QString& reason);
    /// One sentence on what was done.
    void done(const QString& sentence);

protected:
    /// Files that are dropped on the window.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool drag(QDropEvent& event);
    bool drop(QDropEvent& event);
    void openTable(const QString& path, std::string text);
    void openConfiguration(const QString& path);
    void open(widgets::ImportDialog* dialog);
    void readConfiguration(widgets::ImportDialog& dialog, const QString& path, const QString& results);
    void chooseClaims(widgets::AuditDialog& dialog);

    StudyEditor& m_editor;
    QWidget& m_window;
    DropOverlay* m_overlay;
};

} // namespace quadric::app
