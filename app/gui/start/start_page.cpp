// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/start/start_page.h"

#include "core/run/follow/runner_news.h"
#include "core/study/document/document.h"
#include "core/study/files/journal.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/gallery/study_pictures.h"
#include "widgets/text/wording.h"

#include <QDateTime>
#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QScrollArea>

#include <algorithm>

namespace quadric::app {

using widgets::kGap;
using widgets::kGroupGap;
using widgets::kPageMargin;

namespace {

using widgets::tr;

QString progressOf(const study::Study& study)
{
    const int done = study::countRuns(study, study::RunStatus::Done);
    const QString runs = tr("%1 of %2 runs done").arg(done).arg(study.runs.size());
    return study::hasSimulatedResults(study) ? tr("%1 · simulated").arg(runs) : runs;
}

QString timeLeftOf(const QString& path)
{
    const auto left = run::readRunnerNews(path.toStdU16String()).remaining;
    return left ? widgets::remainingText(left->seconds) : QString();
}

study::Study readStudy(const QString& path)
{
    if (!path.startsWith(QLatin1Char(':')))
        return study::loadStudy(path.toStdU16String()).study;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        throw study::DocumentError(path.toStdString() + ": cannot be read");
    return study::parseStudy(file.readAll().toStdString(), path.toStdString()).study;
}

void drawVerdict(QPainter& painter, const QPointF& at, double mark, bool agrees, const QPalette& palette)
{
    const widgets::PlotColors colors = widgets::plotColors(palette);
    painter.setPen(QPen(agrees ? colors.good : colors.error, 2.5, Qt::SolidLine, Qt::RoundCap));
    if (agrees)
        return painter.drawPolyline(QPolygonF{at + QPointF(-mark, 0), at + QPointF(-mark * 0.2, mark * 0.8),
                                              at + QPointF(mark, -mark * 0.8)});
    painter.drawLine(at + QPointF(-mark, -mark), at + QPointF(mark, mark));
    painter.drawLine(at + QPointF(-mark, mark), at + QPointF(mark, -mark));
}

constexpr QSize kThumbnail(136, 104);
constexpr int kCardHeight = 120;
constexpr int kTextLeft = widgets::kGap + kThumbnail.width() + widgets::kGroupGap;

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

/// Three claims of a page beside their verdicts, for an example that checks claims.
QPixmap drawClaims(const QSize& size, qreal devicePixelRatio, const QPalette& palette)
{
    constexpr int kLines = 3;
    QPixmap pixmap(size * devicePixelRatio);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF page(size.width() * 0.16, size.height() * 0.08, size.width() * 0.68, size.height() * 0.84);
    painter.setPen(QPen(palette.color(QPalette::Mid), 1));
    painter.drawRoundedRect(page, 4, 4);
    const double step = page.height() / kLines;
    for (int i = 0; i < kLines; ++i) {
        const QPointF at(page.left() + step * 0.5, page.top() + step * (i + 0.5));
        drawVerdict(painter, at, step * 0.22, i != 1, palette);
        painter.setPen(QPen(palette.color(QPalette::Mid), 4, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(at + QPointF(step * 0.55, 0),
                         QPointF(page.right() - step * (0.3 + 0.25 * (i % 2)), at.y()));
    }
    return pixmap;
}

/// Whether a runner has the study at `path`: cheap enough to be asked every second.
bool isBeingRun(const QString& path)
{
    return !path.startsWith(QLatin1Char(':')) && study::lockOwner(path.toStdU16String()).has_value();
}

/// Reads the study at `path` (a file or a resource). Empty when it cannot be read.
std::optional<StudyPreview> readPreview(const QString& path)
{
    try {
        const bool isRunning = isBeingRun(path);
        study::Study study = readStudy(path);
        const QString progress = progressOf(study);
        return StudyPreview{std::move(study), isRunning ? tr("running · %1").arg(progress) : progress,
                            isRunning, isRunning ? timeLeftOf(path) : QString()};
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

} // namespace

StudyCard::StudyCard(QString path, QString title, QString about, Picture picture, QWidget* parent)
    : QAbstractButton(parent)
    , m_path(std::move(path))
    , m_title(std::move(title))
    , m_about(std::move(about))
    , m_picture(picture)
{
    setText(m_title.isEmpty() ? QFileInfo(m_path).completeBaseName() : m_title);
    setAccessibleName(text());
    setAccessibleDescription(m_about);
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize StudyCard::sizeHint() const
{
    return {360, std::max(kCardHeight, 5 * fontMetrics().height() + 3 * widgets::kGap)};
}

void StudyCard::readStudy()
{
    m_isRead = true;
    const auto preview = readPreview(m_path);
    m_facts = preview ? preview->words : tr("cannot be read");
    m_isRunning = preview && preview->isRunning;
    m_timeLeft = preview ? preview->timeLeft : QString();
    setAccessibleDescription(QStringLiteral("%1. %2").arg(m_facts, about()));
    if (!preview)
        return;
    if (m_title.isEmpty()) {
        setText(QString::fromStdString(preview->study.name));
        setAccessibleName(text());
    }
    if (m_picture == Picture::Claims)
        m_thumbnail = drawClaims(kThumbnail, devicePixelRatioF(), palette());
    else if (!m_isRunning || m_thumbnail.isNull()) // a picture of its models takes a while
        m_thumbnail = widgets::studyPicture(preview->study, kThumbnail, devicePixelRatioF(), palette());
}

void StudyCard::followRunner()
{
    if (!m_isRunning && !isBeingRun(m_path))
        return;
    readStudy();
    update();
}

void StudyCard::paintEvent(QPaintEvent*)
{
    if (!m_isRead)
        readStudy();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isLit = underMouse() || hasFocus();
    painter.setPen(
        QPen(palette().color(isLit ? QPalette::Highlight : QPalette::Midlight), hasFocus() ? 2 : 1));
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
    painter.drawPixmap(widgets::kGap, (height() - kThumbnail.height()) / 2, m_thumbnail);
    paintWords(painter);
}

void StudyCard::paintWords(QPainter& painter) const
{
    const int line = fontMetrics().height();
    const QRect area(kTextLeft, widgets::kGap, width() - kTextLeft - widgets::kGroupGap,
                     height() - 2 * widgets::kGap);
    const int aboutHeight = about().isEmpty() ? 0 : std::min(3 * line, area.height() - 2 * line - 2);
    const int top = area.top() + (area.height() - 2 * line - aboutHeight) / 2;
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRect(area.left(), top, area.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(bold).elidedText(text(), Qt::ElideRight, area.width()));
    painter.setFont(font());
    painter.setPen(m_isRunning ? widgets::plotColors(palette()).accent
                               : palette().color(QPalette::PlaceholderText));
    painter.drawText(QRect(area.left(), top + line, area.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(m_facts, Qt::ElideRight, area.width()));
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(QRect(area.left(), top + 2 * line + 2, area.width(), aboutHeight),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, about());
}

void StudyCard::changeEvent(QEvent* event)
{
    QAbstractButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_isRead = false;
}

void StudyCard::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_Delete)
        emit removeRequested();
    else if (isEnter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

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
