// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/order_table.h"

#include "widgets/base/theme.h"
#include "widgets/text/cell_text.h"
#include "widgets/text/translate.h"

namespace quadric::widgets {

TextTable orderTable(const model::ModelSummary& summary)
{
    TextTable table;
    table.caption = tr("Fit summary");
    table.columns = {
        {tr("Order"), {}, false},
        {tr("Coefficients"), tr("Numbers estimated from the runs."), true},
        {tr("Sequential p"), tr("How often chance alone would make what this order adds look as useful."),
         true},
        {tr("Lack of fit p"), tr("Small: the order misses more than repeated runs scatter by themselves."),
         true},
        {tr("Sigma"), tr("Residual standard deviation."), true},
        {tr("R²"), tr("Share of the variation between the runs that is explained."), true},
        {tr("R² adjusted"), tr("R² charged for every coefficient."), true},
        {tr("R² predicted"), tr("Share explained when each run is predicted from the others."), true},
        {tr("AICc"), tr("Smaller is better: misfit plus a charge for every coefficient."), true}};
    for (const model::OrderSummary& order : summary.orders) {
        const QString name = QString::fromStdString(order.name);
        table.rows.push_back({order.isSuggested ? tr("%1 (suggested)").arg(name) : name,
                              QString::number(order.parameters), probabilityCell(order.sequentialP),
                              probabilityCell(order.lackOfFitP), numberCell(order.sigma),
                              numberCell(order.r2), numberCell(order.r2Adjusted),
                              numberCell(order.r2Predicted), numberCell(order.aicc)});
    }
    table.note = QString::fromStdString(summary.message);
    return table;
}

} // namespace quadric::widgets
