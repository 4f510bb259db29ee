// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/start_page.h"

#include "app/gui/study_card.h"
#include "app/gui/study_files.h"
#include "widgets/design/labels.h"

#include <QDateTime>
#include <QFileInfo>
#include <QGridLayout>
#include <QLocale>
#include <QScrollArea>

namespace quadric::app {

using widgets::kGap;
using widgets::kGroupGap;
using widgets::kPageMargin;

namespace {

constexpr int kSideWidth = 240;
constexpr int kMostWidth = 1120;
constexpr int kMostCards = 8;
constexpr int kColumns = 2;

QLabel* groupTitle(const QString& text)
{
    auto* label = new QLabel(text);
    QFont font = label->font();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    return label;
}

QString changedWords(const QFileInfo& file)
{
    const QDateTime changed = file.lastModified();
    if (changed.date() == QDate::currentDate())
        return StartPage::tr("today, %1").arg(changed.time().toString(QStringLiteral("HH:mm")));
    return QLocale().toString(changed.date(), QLocale::ShortFormat);
}

} // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent)
{
    auto* content = new QWidget;
    content->setMaximumWidth(kMostWidth);
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(kPageMargin, 2 * kPageMargin, kPageMargin, kPageMargin);
    columns->setSpacing(2 * kPageMargin);
    columns->addLayout(buildSide());
    columns->addWidget(buildLists(), 1);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addStretch(1);
    layout->addWidget(content, 100);
    layout->addStretch(1);
}

QVBoxLayout* StartPage::buildSide()
{
    auto* create = widgets::primaryButton(tr("&New study"));
    auto* open = widgets::quietButton(tr("&Open…"));
    widgets::nameWidget(create, "newStudy", tr("New study"));
    widgets::nameWidget(open, "openStudy", tr("Open a study"));
    connect(create, &QPushButton::clicked, this, &StartPage::newRequested);
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);

    auto* side = new QVBoxLayout;
    side->setSpacing(kGap);
    auto* title = widgets::titleLabel(QStringLiteral("Quadric"));
    auto* words =
        widgets::mutedLabel(tr("Plan a few runs, measure them, see what matters and find the best setting."));
    words->setFixedWidth(kSideWidth);
    side->addWidget(title);
    side->addWidget(words);
    side->addSpacing(kGroupGap);
    side->addWidget(create);
    side->addWidget(open);
    side->addStretch();
    return side;
}

QWidget* StartPage::buildLists()
{
    auto* content = new QWidget;
    auto* lists = new QVBoxLayout(content);
    lists->setContentsMargins(0, 0, kGap, 0);
    lists->setSpacing(kGap);
    m_recentTitle = groupTitle(tr("Recent studies"));
    m_recent = new QGridLayout;
    m_recent->setSpacing(kGap);
    lists->addWidget(m_recentTitle);
    lists->addLayout(m_recent);
    lists->addSpacing(kGroupGap);
    addExamples(*lists);
    lists->addStretch();

    auto* scroll = new QScrollArea;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    return scroll;
}

void StartPage::addExamples(QVBoxLayout& lists)
{
    const auto known = examples();
    if (known.empty())
        return;
    lists.addWidget(groupTitle(tr("Examples")));
    auto* grid = new QGridLayout;
    grid->setSpacing(kGap);
    for (size_t i = 0; i < known.size(); ++i) {
        auto* card = new StudyCard(known[i].resource, known[i].title, known[i].about);
        card->setObjectName(QStringLiteral("example%1").arg(i));
        connect(card, &QAbstractButton::clicked, this, [this, card] { emit examplePicked(card->path()); });
        grid->addWidget(card, int(i) / kColumns, int(i) % kColumns);
    }
    lists.addLayout(grid);
}

void StartPage::setRecentStudies(const QStringList& paths)
{
    while (QLayoutItem* item = m_recent->takeAt(0)) {
        if (QWidget* card = item->widget()) { // it may be the card that was just clicked
            card->hide();
            card->deleteLater();
        }
        delete item;
    }
    int shown = 0;
    for (const QString& path : paths) {
        const QFileInfo file(path);
        if (!file.exists() || shown == kMostCards)
            continue;
        auto* card = new StudyCard(path, file.completeBaseName(), changedWords(file));
        card->setObjectName(QStringLiteral("recent%1").arg(shown));
        card->setToolTip(path);
        connect(card, &QAbstractButton::clicked, this, [this, card] { emit studyPicked(card->path()); });
        m_recent->addWidget(card, shown / kColumns, shown % kColumns);
        ++shown;
    }
    if (shown == 1)
        m_recent->addItem(new QSpacerItem(0, 0, QSizePolicy::Expanding), 0, 1);
    if (shown == 0)
        m_recent->addWidget(
            widgets::mutedLabel(tr("Studies that you open appear here. Start with an example, or with "
                                   "a question of your own.")),
            0, 0, 1, kColumns);
}

} // namespace quadric::app
