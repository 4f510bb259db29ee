// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/document/document.h"

#include <QObject>
#include <QTimer>

#include <optional>

namespace quadric::app {

class StudyEditor;

/// Why the file cannot simply take the open study, and what the user can do.
struct DocumentTrouble {
    enum class Kind {
        Changed,    ///< another program has changed the file, and this window has what is not in it
        Missing,    ///< the file was moved or deleted
        Unreadable, ///< the file contains no study
        Unwritable  ///< it is tried again
    };
    Kind kind = Kind::Changed;
    QString sentence = {};
    bool operator==(const DocumentTrouble&) const = default;
};

/// The file of the open study, which other programs may change: keeps what it contained when it was read or
/// written here last, looks at it twice a second, reads it again where nothing is lost by that, and never
/// overwrites what it has not seen. Where that needs a decision, it waits for one (trouble()). What a runner
/// records is in its journal, and so is known to be saved.
class StudyDocument : public QObject {
    Q_OBJECT

public:
    explicit StudyDocument(StudyEditor& editor, QObject* parent = nullptr);

    /// Goes on with the editor's study, of which the file contains `saved`.
    void attach(study::Study saved, const study::DocumentState& state);
    void detach();

    /// True when the file contains the open study, as far as is known.
    bool holdsStudy() const;

    /// Takes in what another program has changed.
    void look();

    /// Writes the open study. True: the file contains it now. False: see trouble(), or the file is just being
    /// changed; try again later.
    bool save();

    const std::optional<DocumentTrouble>& trouble() const { return m_trouble; }

    /// The study is what the file contains; undo leads back where no result is lost by that.
    void reload();
    /// The same, and the version of this window is kept beside the file.
    void keepBesideAndReload();
    /// Writes the open study to where its file was; what cannot be read there is kept beside it.
    void saveHereAgain();
    /// Keeps the open study beside its file. False: it could not be written (failed()).
    bool keepOpenStudyBeside();

signals:
    /// The file contains another version than before.
    void savedVersionChanged();
    void troubleChanged();
    /// One sentence for the user: what another program has changed, where a version was kept.
    void message(const QString& sentence);
    void failed(const QString& reason);

private:
    struct Theirs {
        study::Study study;
        study::DocumentState state;
    };

    std::filesystem::path path() const;
    QString fileName() const;
    std::optional<Theirs> read();
    void handleUnreadable(const study::FileIdentity& identity, const QString& reason);
    void setTrouble(std::optional<DocumentTrouble> trouble);
    void take(Theirs theirs);
    bool takeRecords(const Theirs& theirs);
    bool isHarmless(const study::Study& theirs) const;
    void adopt(const Theirs& theirs);
    QString keepBeside(const study::Study& version);

    StudyEditor& m_editor;
    QTimer m_timer;
    study::Study m_saved;
    study::DocumentState m_state;
    std::optional<study::FileIdentity> m_seen; ///< of the file that was looked at last; empty: look again
    int m_failedReads = 0;
    std::optional<Theirs> m_theirs; ///< of Kind::Changed
    std::optional<DocumentTrouble> m_trouble;
};

/// Writes every change of the open study to its file shortly after it was made, in one atomic replace; never
/// over a version that was not read here.
class Autosave : public QObject {
    Q_OBJECT

public:
    Autosave(StudyEditor& editor, StudyDocument& document, QObject* parent = nullptr);

    bool isDirty() const { return m_isDirty; }

    /// Takes in what another program has changed, and writes now what waits to be written. True when the file
    /// holds the study; otherwise it is tried again, or StudyDocument::trouble() says what the user can do.
    bool saveNow();

    /// There is nothing to save any more, or everything is new.
    void setDirty(bool isDirty);

signals:
    void dirtyChanged(bool isDirty);

private:
    void compare();

    StudyEditor& m_editor;
    StudyDocument& m_document;
    QTimer m_timer;
    bool m_isDirty = false;
};

} // namespace quadric::app
