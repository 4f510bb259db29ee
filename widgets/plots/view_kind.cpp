// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/view_kind.h"

#include "widgets/plots/plot.h"

#include <QFile>

namespace quadric::widgets {

namespace {

QString helpText(const std::string& id)
{
    QFile file(QStringLiteral(":/help/views/%1.md").arg(QString::fromStdString(id)));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// The heading of docs/methods.md under which the numbers of a page are explained.
QString methodsOf(const std::string& page)
{
    return page == "design"     ? QStringLiteral("Designs")
           : page == "optimize" ? QStringLiteral("Best settings")
           : page == "explore"  ? QStringLiteral("Models")
                                : QStringLiteral("Measured training steps");
}

} // namespace

About aboutView(const ViewKind& kind)
{
    return {kind.title, helpText(kind.id), methodsOf(kind.page)};
}

QString viewSummary(const ViewKind& kind)
{
    return helpText(kind.id).section(QStringLiteral("\n\n"), 0, 0).remove(QLatin1Char('*')).simplified();
}

void describePlot(Plot& plot, const ViewKind& kind)
{
    plot.setAbout(aboutView(kind));
    if (plot.accessibleName().isEmpty())
        plot.setAccessibleName(kind.title);
}

} // namespace quadric::widgets
