// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/command_palette.h"

#include "widgets/base/style.h"

#include <QAccessible>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QStringList>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace quadric::app {

namespace {

constexpr int kWhole = 1200, kStart = 1000, kInside = 500, kLetters = 200; ///< what a word is found as
constexpr int kBetween = 15; ///< a letter between those of a word
constexpr int kFirst = 100;  ///< it is the first word of the text
constexpr int kLongest = 99; ///< letters of the text that count against it

/// Lower-case letters and digits in words between single spaces.
QString plain(const QString& text)
{
    QString letters;
    for (const QChar each : text.normalized(QString::NormalizationForm_KD)) {
        if (each.isLetterOrNumber())
            letters += each.toLower();
        else if (!each.isMark())
            letters += QLatin1Char(' ');
    }
    return letters.simplified();
}

bool startsWord(const QString& text, qsizetype at)
{
    return at == 0 || text[at - 1] == QLatin1Char(' ');
}

/// How many letters of `text` stand between those of `word` from `at` on; none: they are not there.
std::optional<int> countBetween(const QString& text, qsizetype at, const QString& word)
{
    const qsizetype first = at;
    for (const QChar letter : word) {
        at = text.indexOf(letter, at);
        if (at < 0)
            return {};
        ++at;
    }
    return int(at - first - word.size());
}

int scoreAt(const QString& text, qsizetype at, const QString& word)
{
    const bool isStart = startsWord(text, at);
    const int first = at == 0 ? kFirst : 0;
    if (QStringView(text).mid(at).startsWith(word)) {
        const qsizetype end = at + word.size();
        const bool isWhole = isStart && (end == text.size() || text[end] == QLatin1Char(' '));
        return first + (isWhole ? kWhole : isStart ? kStart : kInside);
    }
    const std::optional<int> between =
        isStart && text[at] == word[0] ? countBetween(text, at, word) : std::nullopt;
    return between ? first + std::max(1, kLetters - kBetween * *between) : 0;
}

int scoreWord(const QString& text, const QString& word)
{
    int best = 0;
    for (qsizetype at = 0; at < text.size(); ++at)
        best = std::max(best, scoreAt(text, at, word));
    return best;
}

enum PaletteColumn { TitleColumn, WhereColumn, KeysColumn };

constexpr QSize kPaletteSize{640, 440};
constexpr int kTitleWeight = 4; ///< a word of the title counts so many times as one of the place

QTreeWidget* makeList()
{
    auto* list = new QTreeWidget;
    widgets::nameWidget(list, "paletteList", CommandPalette::tr("Found commands"));
    list->setColumnCount(3);
    list->setHeaderHidden(true);
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    list->setAllColumnsShowFocus(true);
    list->setFocusPolicy(Qt::NoFocus); // the keys are those of the line above
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setFrameShape(QFrame::NoFrame);
    list->header()->setStretchLastSection(false);
    list->header()->setSectionResizeMode(TitleColumn, QHeaderView::Stretch);
    list->header()->setSectionResizeMode(WhereColumn, QHeaderView::ResizeToContents);
    list->header()->setSectionResizeMode(KeysColumn, QHeaderView::ResizeToContents);
    return list;
}

/// The entries that `query` finds by title or place, the best first, equals in their order. What cannot be
/// done now counts half.
std::vector<std::size_t> findEntries(const std::vector<PaletteEntry>& entries, const QString& query)
{
    std::vector<std::pair<int, std::size_t>> hits; // score and entry
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const PaletteEntry& entry = entries[i];
        const int title = kTitleWeight * fuzzyScore(query, entry.title);
        const int anywhere = fuzzyScore(query, entry.title + QLatin1Char(' ') + entry.where);
        if (title == 0 && anywhere == 0)
            continue;
        const int score = query.isEmpty() ? 2 : std::max(title, anywhere);
        hits.emplace_back(entry.whyNot.isEmpty() ? score : score / 2, i);
    }
    std::ranges::stable_sort(hits, std::greater<>(), &std::pair<int, std::size_t>::first);
    std::vector<std::size_t> found;
    found.reserve(hits.size());
    for (const auto& [score, entry] : hits)
        found.push_back(entry);
    return found;
}

} // namespace

int fuzzyScore(const QString& query, const QString& text)
{
    const QString target = plain(text);
    int score = 1 + kLongest - std::min<int>(kLongest, int(target.size()));
    for (const QString& word : plain(query).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const int found = scoreWord(target, word);
        if (found == 0)
            return 0;
        score += found;
    }
    return score;
}

CommandPalette::CommandPalette(std::vector<PaletteEntry> entries, QWidget* parent)
    : QDialog(parent)
    , m_entries(std::move(entries))
    , m_line(new QLineEdit)
    , m_list(makeList())
{
    setObjectName(QStringLiteral("palette"));
    setWindowTitle(tr("Find a command, view or help page"));
    setAttribute(Qt::WA_DeleteOnClose);
    widgets::nameWidget(m_line, "paletteLine", windowTitle());
    m_line->setPlaceholderText(tr("Type a few letters of what you want to do or see"));
    m_line->setClearButtonEnabled(true);
    m_line->installEventFilter(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(widgets::kGroupGap, widgets::kGroupGap, widgets::kGroupGap,
                               widgets::kGroupGap);
    layout->setSpacing(widgets::kGap);
    layout->addWidget(m_line);
    layout->addWidget(m_list, 1);
    widgets::resizeWithinScreen(*this, kPaletteSize);
    connect(m_line, &QLineEdit::textChanged, this, &CommandPalette::find);
    connect(m_list, &QTreeWidget::itemClicked, this, &CommandPalette::run);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &CommandPalette::speak);
    find({});
}

std::vector<const PaletteEntry*> CommandPalette::found() const
{
    std::vector<const PaletteEntry*> shown;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i)
        shown.push_back(&m_entries[m_list->topLevelItem(i)->data(TitleColumn, Qt::UserRole).toUInt()]);
    return shown;
}

void CommandPalette::find(const QString& query)
{
    m_list->clear();
    for (const std::size_t entry : findEntries(m_entries, query))
        addRow(entry);
    if (m_list->topLevelItemCount() > 0)
        m_list->setCurrentItem(m_list->topLevelItem(0));
    speak();
}

void CommandPalette::addRow(std::size_t index)
{
    const PaletteEntry& entry = m_entries[index];
    const QString where = entry.whyNot.isEmpty() ? entry.where : tr("%1: %2").arg(entry.where, entry.whyNot);
    auto* row =
        new QTreeWidgetItem(m_list, {entry.title, where, entry.keys.toString(QKeySequence::NativeText)});
    row->setData(TitleColumn, Qt::UserRole, uint(index));
    row->setForeground(WhereColumn, palette().color(QPalette::PlaceholderText));
    row->setDisabled(!entry.whyNot.isEmpty());
}

/// The next row that can be done; the list goes round.
void CommandPalette::move(int step)
{
    const int rows = m_list->topLevelItemCount();
    const int from = m_list->indexOfTopLevelItem(m_list->currentItem());
    for (int i = 1; i <= rows; ++i) {
        QTreeWidgetItem* next = m_list->topLevelItem(((from + i * step) % rows + rows) % rows);
        if (!next->isDisabled())
            return m_list->setCurrentItem(next);
    }
}

/// The line keeps the focus, so it is the line that says which row is chosen.
void CommandPalette::speak()
{
    QStringList words;
    if (const QTreeWidgetItem* row = m_list->currentItem())
        for (int column = TitleColumn; column <= KeysColumn; ++column)
            if (!row->text(column).isEmpty())
                words << row->text(column);
    m_line->setAccessibleDescription(words.isEmpty() ? tr("Nothing found")
                                                     : words.join(QStringLiteral(", ")));
    QAccessibleEvent event(m_line, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

void CommandPalette::run(const QTreeWidgetItem* row)
{
    if (row == nullptr || row->isDisabled())
        return;
    const auto what = m_entries[row->data(TitleColumn, Qt::UserRole).toUInt()].run;
    accept();
    what();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    switch (key) {
    case Qt::Key_Up:
    case Qt::Key_Down:
        move(key == Qt::Key_Up ? -1 : 1);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        run(m_list->currentItem());
        return true;
    default:
        return QDialog::eventFilter(watched, event);
    }
}

} // namespace quadric::app
