// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/experiment.h"
#include "app/gui/session/study_document.h"
#include "app/gui/session/study_editor.h"

#include <QString>

#include <filesystem>
#include <vector>

namespace quadric::app {

/// Where new studies go: the folder "Quadric" in the user's documents. Made when the first study is saved.
QString studiesFolder();

/// A path in studiesFolder() that no file has yet, from the name of a study: "Name.quadric",
/// "Name 2.quadric", …
std::filesystem::path newStudyPath(const QString& studyName);

/// A study that comes with the program.
struct Example {
    QString resource; ///< where it lies inside the program
    QString title;
    QString about;
    QString claims; ///< where somebody's conclusions about it lie; empty: none
};

/// The examples that this build holds.
std::vector<Example> examples();

/// Copies an example to a new study file, with its claims beside it, so that the example stays as it is.
/// Throws study::DocumentError.
std::filesystem::path copyExample(const Example& example);

/// The open study with everything that belongs to its file: editor, autosave, experiment.
class StudySession : public QObject {
    Q_OBJECT

public:
    explicit StudySession(QObject* parent = nullptr);

    StudyEditor& editor() { return m_editor; }
    StudyDocument& document() { return m_document; }
    Autosave& autosave() { return m_autosave; }
    Experiment& experiment() { return m_experiment; }

    /// Opens the study at `path`, folding what a runner that is gone left in the journal. Empty, or the
    /// reason in words why it could not be opened; then what was open stays open.
    QString open(const std::filesystem::path& path);

    /// Saves a new study to a file of its own in the studies folder and opens it. Empty, or the reason why
    /// not.
    QString create(study::Study study);

    /// Goes on with the open study in another file; a runner stays with the former one. Empty, or the reason
    /// why not.
    QString saveAs(const std::filesystem::path& chosen);

    /// Writes what waits and closes; a running experiment goes on. A version that is in conflict with the
    /// file is kept beside it. False: it could not be saved, still open.
    bool close();

    /// Closes without saving.
    void discard();

signals:
    void opened(const QString& path);
    /// What loading found that deserves a look.
    void warned(const QStringList& warnings);

private:
    bool keepUnsaved();

    StudyEditor m_editor;
    StudyDocument m_document;
    Autosave m_autosave;
    Experiment m_experiment;
};

} // namespace quadric::app
