// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

namespace quadric::app {

class StudyDocument;
class StudyEditor;

/// Writes every change of the open study to its file shortly after it was made, in one atomic replace; never
/// while a runner owns the file, and never over a version that was not read here.
class Autosave : public QObject {
    Q_OBJECT

public:
    Autosave(StudyEditor& editor, StudyDocument& document, QObject* parent = nullptr);

    bool isDirty() const { return m_isDirty; }

    /// Takes in what another program has changed, and writes now what waits to be written. True when the file
    /// holds the study; otherwise failed() has said why, the user has to choose a version, or a runner owns
    /// the file and the study is written when it has ended.
    bool saveNow();

    /// There is nothing to save any more, or everything is new.
    void setDirty(bool isDirty);

signals:
    void dirtyChanged(bool isDirty);
    void failed(const QString& reason);

private:
    void compare();

    StudyEditor& m_editor;
    StudyDocument& m_document;
    QTimer m_timer;
    bool m_isDirty = false;
};

} // namespace quadric::app
