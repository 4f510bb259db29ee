// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTableView;

namespace quadric::widgets {

/// Makes the table as high as its header and its rows, so many at most; without rows it keeps room for two.
void fitHeight(QTableView& table, int mostRows);

} // namespace quadric::widgets
