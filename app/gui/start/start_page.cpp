// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/start/start_page.h"

#include "app/gui/start/study_card.h"
#include "widgets/base/style.h"

#include <QDateTime>
#include <QFileInfo>
#include <QGridLayout>
#include <QLocale>
#include <QMenu>
#include <QScrollArea>

#include <algorithm>

namespace quadric::app {

using widgets::kGap;
using widgets::kGroupGap;
using widgets::kPageMargin;

namespace {

constexpr int kSideWidth = 240;
constexpr int kMostWidth = 1120;
constexpr size_t kMostCards = 8;
constexpr int kTwoColumnsWidth = 1040;
constexpr int kFollowMs = 2000;

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

/// Places the cards row by row; all columns are equally wide, also with one card.
void fill(QGridLayout& grid, const std::vector<StudyCard*>& cards, int columns)
{
    for (StudyCard* card : cards)
        grid.removeWidget(card);
    for (size_t i = 0; i < cards.size(); ++i)
        grid.addWidget(cards[i], int(i) / columns, int(i) % columns);
    grid.setColumnStretch(0, 1);
    grid.setColumnStretch(1, columns > 1 ? 1 : 0);
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
    m_clock.setInterval(kFollowMs);
    connect(&m_clock, &QTimer::timeout, this, &StartPage::followRunners);
    m_clock.start();
}

QVBoxLayout* StartPage::buildSide()
{
    auto* create = widgets::primaryButton(tr("&New study"));
    auto* open = widgets::quietButton(tr("&Open…"));
    widgets::nameWidget(create, "newStudy", tr("New study"));
    widgets::nameWidget(open, "openStudy", tr("Open a study"));
    connect(create, &QPushButton::clicked, this, &StartPage::newRequested);
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    auto* import = widgets::quietButton(tr("&Import…"));
    widgets::nameWidget(import, "importFile", tr("Import a table or a configuration of doehelper"));
    connect(import, &QPushButton::clicked, this, &StartPage::importRequested);

    auto* dropHint =
        widgets::mutedLabel(tr("You can also drop a study, a table or a script on this window."));
    dropHint->setFixedWidth(kSideWidth);
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
    side->addWidget(import);
    side->addWidget(dropHint);
    side->addStretch();
    return side;
}

QWidget* StartPage::buildLists()
{
    auto* content = new QWidget;
    auto* lists = new QVBoxLayout(content);
    lists->setContentsMargins(0, 0, kGap, 0);
    lists->setSpacing(kGap);
    m_recent = new QGridLayout;
    m_recent->setSpacing(kGap);
    m_noRecent =
        widgets::mutedLabel(tr("Studies that you open appear here. Open an example, or create a study."));
    m_runsGoOn = widgets::mutedLabel(
        tr("Runs go on while Quadric is closed. Open a running study to watch, pause or stop it."));
    m_runsGoOn->setObjectName(QStringLiteral("runsGoOn"));
    m_runsGoOn->hide();
    lists->addWidget(groupTitle(tr("Recent studies")));
    lists->addWidget(m_noRecent);
    lists->addWidget(m_runsGoOn);
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
    m_examples = new QGridLayout;
    m_examples->setSpacing(kGap);
    for (const Example& example : examples()) {
        const bool isChecked = !example.claims.isEmpty();
        auto* card = new StudyCard(example.resource, example.title, example.about,
                                   isChecked ? StudyCard::Picture::Claims : StudyCard::Picture::Study);
        card->setObjectName(QStringLiteral("example%1").arg(m_exampleCards.size()));
        connect(card, &QAbstractButton::clicked, this, [this, example] { emit examplePicked(example); });
        m_exampleCards.push_back(card);
    }
    if (!m_exampleCards.empty())
        lists.addWidget(groupTitle(tr("Examples")));
    lists.addLayout(m_examples);
}

void StartPage::setRecentStudies(const QStringList& paths)
{
    for (StudyCard* card : m_recentCards) {
        card->hide();
        card->setObjectName({});
        card->deleteLater(); // it may be the card that was just clicked
    }
    m_recentCards.clear();
    for (const QString& path : paths) {
        const QFileInfo file(path);
        if (!file.exists() || m_recentCards.size() == kMostCards)
            continue;
        m_recentCards.push_back(addRecent(file));
    }
    m_noRecent->setVisible(m_recentCards.empty());
    arrange();
}

StudyCard* StartPage::addRecent(const QFileInfo& file)
{
    auto* card = new StudyCard(file.filePath(), {}, changedWords(file));
    card->setObjectName(QStringLiteral("recent%1").arg(m_recentCards.size()));
    card->setToolTip(tr("%1\nDel removes it from this list; the file stays.").arg(file.filePath()));
    card->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(card, &QAbstractButton::clicked, this, [this, card] { emit studyPicked(card->path()); });
    connect(card, &StudyCard::removeRequested, this, [this, card] { remove(*card); });
    connect(card, &QWidget::customContextMenuRequested, this,
            [this, card](const QPoint& at) { showMenu(*card, card->mapToGlobal(at)); });
    return card;
}

void StartPage::showMenu(StudyCard& card, const QPoint& at)
{
    auto* menu = new QMenu(&card);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("recentMenu"));
    menu->addAction(tr("&Open"), &card, &QAbstractButton::click);
    menu->addAction(tr("&Remove from list"), this, [this, &card] { remove(card); });
    menu->popup(at);
}

/// The next card has the focus then, so that several can be removed one after another.
void StartPage::remove(const StudyCard& card)
{
    const auto at = std::ranges::find(m_recentCards, &card) - m_recentCards.begin();
    const bool hadFocus = card.hasFocus();
    emit removeRequested(card.path());
    if (!hadFocus || m_recentCards.empty())
        return;
    StudyCard* next = m_recentCards[std::min(size_t(at), m_recentCards.size() - 1)];
    next->show(); // the layout would do so later
    next->setFocus();
}

void StartPage::followRunners()
{
    if (!isVisible())
        return;
    for (StudyCard* card : m_recentCards)
        card->followRunner();
    m_runsGoOn->setVisible(std::ranges::any_of(m_recentCards, &StudyCard::isRunning));
}

void StartPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    followRunners();
}

void StartPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (m_columns != (width() < kTwoColumnsWidth ? 1 : 2))
        arrange();
}

void StartPage::arrange()
{
    m_columns = width() < kTwoColumnsWidth ? 1 : 2;
    fill(*m_recent, m_recentCards, m_columns);
    fill(*m_examples, m_exampleCards, m_columns);
}

} // namespace quadric::app
