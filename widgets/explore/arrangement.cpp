// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/arrangement.h"

#include "widgets/explore/explore_views.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kSmallest = 0.05, kLargest = 20.0; ///< sizes beside which a cell could not be seen any more

double sizeAt(const QJsonArray& sizes, qsizetype index)
{
    const double size = sizes.at(index).toDouble(1.0);
    return std::isfinite(size) ? std::clamp(size, kSmallest, kLargest) : 1.0;
}

Arrangement::Row rowFrom(const QJsonArray& views, const QJsonArray& widths)
{
    Arrangement::Row row;
    for (qsizetype i = 0; i < views.size() && row.views.size() < Arrangement::kMostColumns; ++i) {
        const std::string name = views[i].toString().toStdString();
        if (findView(exploreViews(), name) == nullptr)
            continue;
        row.views.push_back(name);
        row.widths.push_back(sizeAt(widths, i));
    }
    return row;
}

/// Three digits are finer than a pixel.
double rounded(double size)
{
    return std::round(size * 1000.0) / 1000.0;
}

} // namespace

Arrangement defaultArrangement()
{
    return {{{{"pareto", "main-effects"}, {1.0, 1.0}, 1.0}, {{"surface", "report-card"}, {1.0, 1.0}, 1.25}}};
}

QJsonObject toJson(const Arrangement& arrangement)
{
    QJsonArray views, heights, widths;
    for (const Arrangement::Row& row : arrangement.rows) {
        QJsonArray names, sizes;
        for (const std::string& view : row.views)
            names.append(QString::fromStdString(view));
        for (const double width : row.widths)
            sizes.append(rounded(width));
        views.append(names);
        widths.append(sizes);
        heights.append(rounded(row.height));
    }
    return {{"heights", heights}, {"views", views}, {"widths", widths}};
}

Arrangement arrangementFrom(const QJsonObject& object)
{
    const QJsonArray views = object["views"].toArray();
    Arrangement arrangement;
    for (qsizetype i = 0; i < views.size() && arrangement.rows.size() < Arrangement::kMostRows; ++i) {
        Arrangement::Row row = rowFrom(views[i].toArray(), object["widths"].toArray().at(i).toArray());
        row.height = sizeAt(object["heights"].toArray(), i);
        if (!row.views.empty())
            arrangement.rows.push_back(std::move(row));
    }
    return arrangement.rows.empty() ? defaultArrangement() : arrangement;
}

} // namespace quadric::widgets
