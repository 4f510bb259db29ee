// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/autosave.h"

#include "app/gui/session/study_document.h"
#include "app/gui/session/study_editor.h"
#include "core/study/document/document.h"
#include "core/study/files/journal.h"

namespace quadric::app {

namespace {

constexpr int kDelayMs = 300;
constexpr int kOwnedDelayMs = 1000;

} // namespace

Autosave::Autosave(StudyEditor& editor, StudyDocument& document, QObject* parent)
    : QObject(parent)
    , m_editor(editor)
    , m_document(document)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::saveNow);
    connect(&editor, &StudyEditor::edited, this, &Autosave::compare);
    connect(&document, &StudyDocument::savedVersionChanged, this, &Autosave::compare);
}

/// What the file holds already is not written: two windows would answer each other without end.
void Autosave::compare()
{
    setDirty(m_editor.isOpen() && !m_document.holdsStudy());
    if (m_isDirty)
        m_timer.start(kDelayMs);
}

bool Autosave::saveNow()
{
    m_timer.stop();
    if (!m_editor.isOpen() || m_editor.context()->path.empty())
        return !m_isDirty;
    if (m_editor.context()->isRunning)
        return !m_isDirty;
    try {
        if (!m_isDirty) {
            m_document.look();
            return !m_isDirty && !m_document.trouble();
        }
        if (study::lockOwner(m_editor.context()->path) || !m_document.save()) {
            if (!m_document.trouble())
                m_timer.start(kOwnedDelayMs);
            return false;
        }
    } catch (const std::exception& error) {
        emit failed(QString::fromStdString(error.what()));
        return false;
    }
    setDirty(false);
    return true;
}

void Autosave::setDirty(bool isDirty)
{
    if (!isDirty)
        m_timer.stop();
    if (isDirty == m_isDirty)
        return;
    m_isDirty = isDirty;
    emit dirtyChanged(isDirty);
}

} // namespace quadric::app
