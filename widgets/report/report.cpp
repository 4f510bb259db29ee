// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/report.h"

namespace quadric::widgets {

QString writeReport(const StudyContext&, const ReportOptions&, const QString& path)
{
    return QObject::tr("%1 could not be written: the report is not available yet").arg(path);
}

} // namespace quadric::widgets
