// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/frame/document_banner.h"

#include "widgets/base/style.h"

#include <QPushButton>

namespace quadric::app {

DocumentBanner::DocumentBanner(StudyDocument& document, QWidget* parent)
    : Banner(parent)
    , m_document(document)
    , m_keepMine(addButton("keepMine", tr("Keep mine")))
    , m_takeTheirs(addButton("takeTheirs", tr("Take theirs")))
    , m_saveHere(addButton("saveHereAgain", tr("Save here again")))
    , m_saveAs(addButton("saveTroubledAs", tr("Save as…")))
{
    widgets::nameWidget(this, "documentBanner", tr("The study's file"));
    setTone(Tone::Warning, QStringLiteral("▲"));
    m_keepMine->setToolTip(tr("Save this window's version. The file's is kept beside it as “… (conflict)”."));
    m_takeTheirs->setToolTip(
        tr("Open the file's version. This window's is kept beside it as “… (conflict)”."));
    connect(m_keepMine, &QPushButton::clicked, &document, &StudyDocument::keepMine);
    connect(m_takeTheirs, &QPushButton::clicked, &document, &StudyDocument::takeTheirs);
    connect(m_saveHere, &QPushButton::clicked, &document, &StudyDocument::saveHereAgain);
    connect(m_saveAs, &QPushButton::clicked, this, &DocumentBanner::saveAsRequested);
    connect(&document, &StudyDocument::troubleChanged, this, &DocumentBanner::showTrouble);
    showTrouble();
}

void DocumentBanner::showTrouble()
{
    const auto& trouble = m_document.trouble();
    const bool isConflict = trouble && trouble->kind == DocumentTrouble::Kind::Conflict;
    m_keepMine->setVisible(isConflict);
    m_takeTheirs->setVisible(isConflict);
    m_saveHere->setVisible(trouble && !isConflict);
    m_saveAs->setVisible(trouble && !isConflict);
    if (trouble)
        setWords(trouble->sentence);
    setVisible(trouble.has_value());
}

} // namespace quadric::app
