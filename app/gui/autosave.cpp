// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/autosave.h"

#include "app/gui/study_editor.h"
#include "core/study/document.h"
#include "core/study/journal.h"

namespace quadric::app {

namespace {

constexpr int kDelayMs = 300;
constexpr int kOwnedDelayMs = 1000;

} // namespace

Autosave::Autosave(StudyEditor& editor, QObject* parent)
    : QObject(parent)
    , m_editor(editor)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::saveNow);
    connect(&editor, &StudyEditor::edited, this, [this] {
        setDirty(true);
        m_timer.start(kDelayMs);
    });
}

bool Autosave::saveNow()
{
    m_timer.stop();
    if (!m_editor.isOpen() || m_editor.context()->path.empty() || !m_isDirty)
        return !m_isDirty;
    const auto& context = *m_editor.context();
    if (context.isRunning)
        return false;
    try {
        if (study::lockOwner(context.path)) {
            m_timer.start(kOwnedDelayMs);
            return false;
        }
        study::saveStudy(context.study, context.path);
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
