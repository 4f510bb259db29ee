// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/panel_words.h"

#include "widgets/plots/base/accessible_plot.h"
#include "widgets/plots/panel/panel_plot.h"

#include <QStringList>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr std::size_t kMostBars = 5;

QString axesText(const Panel& panel)
{
    if (panel.x.title.isEmpty() || panel.y.title.isEmpty())
        return panel.x.title + panel.y.title;
    return PanelPlot::tr("%1 against %2").arg(panel.y.title, panel.x.title);
}

/// Tips have several lines.
QString onOneLine(QString tip)
{
    return tip.replace(QLatin1Char('\n'), QStringLiteral(", "));
}

QString sentenceOf(const Panel& panel, int pickedRun)
{
    QStringList words{panel.title, axesText(panel), panel.note};
    for (std::size_t i = 0; i < std::min(kMostBars, panel.bars.size()); ++i)
        words << onOneLine(panel.bars[i].tip);
    for (const PanelDot& dot : panel.dots)
        if (pickedRun >= 0 && dot.run == pickedRun)
            words << onOneLine(dot.tip);
    words.removeAll(QString());
    return words.join(QStringLiteral("; "));
}

class AccessiblePanel : public AccessiblePlot {
public:
    using AccessiblePlot::AccessiblePlot;

protected:
    QString reading() const override
    {
        return describeBoard(static_cast<PanelPlot&>(plot()).board(), plot().pickedRun());
    }
};

QAccessibleInterface* makePanelInterface(const QString& className, QObject* object)
{
    if (className != QLatin1String(PanelPlot::staticMetaObject.className()))
        return nullptr;
    auto* plot = qobject_cast<PanelPlot*>(object);
    return plot != nullptr ? new AccessiblePanel(*plot) : nullptr;
}

} // namespace

QString describeBoard(const PanelBoard& board, int pickedRun)
{
    QStringList sentences{board.title};
    for (const Panel& panel : board.panels)
        sentences << sentenceOf(panel, pickedRun);
    sentences.removeAll(QString());
    sentences.removeDuplicates();
    return sentences.isEmpty() ? QString() : sentences.join(QStringLiteral(". ")) + QLatin1Char('.');
}

void makePanelsAccessible()
{
    static const bool isInstalled = [] {
        QAccessible::installFactory(&makePanelInterface);
        return true;
    }();
    Q_UNUSED(isInstalled)
}

} // namespace quadric::widgets
