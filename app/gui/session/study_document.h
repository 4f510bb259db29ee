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
        Conflict,  ///< both versions have changed the same: one has to be chosen
        Missing,   ///< the file was moved or deleted
        Unreadable ///< the file contains no study
    };
    Kind kind = Kind::Conflict;
    QString sentence = {};
    bool operator==(const DocumentTrouble&) const = default;
};

/// The file of the open study, which other programs may change: keeps what it contained when it was read or
/// written here last, looks at it twice a second, merges what is new into the open study, and never
/// overwrites what it has not seen. Where that needs a decision, it waits for one (trouble()).
class StudyDocument : public QObject {
    Q_OBJECT

public:
    explicit StudyDocument(StudyEditor& editor, QObject* parent = nullptr);

    /// Goes on with the editor's study, of which the file contains `saved`.
    void attach(study::Study saved, const study::DocumentState& state);
    void detach();

    /// True when the file contains the open study, as far as is known.
    bool holdsStudy() const;

    /// Merges what another program has changed into the open study; nothing while a runner owns it.
    void look();

    /// Writes the open study. True: the file contains it now. False: see trouble(), or the file is just being
    /// changed; try again later. Throws study::DocumentError where it cannot be written.
    bool save();

    const std::optional<DocumentTrouble>& trouble() const { return m_trouble; }

    /// Settle a conflict: the other version is kept beside the file.
    void keepMine() { settle(true); }
    void takeTheirs() { settle(false); }
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
    void mergeTheirs(Theirs theirs);
    void adopt(const study::Study& merged, Theirs theirs, const QString& more);
    void settle(bool isMine);
    QString keepBeside(const study::Study& version);

    StudyEditor& m_editor;
    QTimer m_timer;
    study::Study m_saved;
    study::DocumentState m_state;
    std::optional<study::FileIdentity> m_seen; ///< of the file that was looked at last; empty: look again
    int m_failedReads = 0;
    std::optional<Theirs> m_conflict;
    std::optional<DocumentTrouble> m_trouble;
};

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
