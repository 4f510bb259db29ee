// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaType>
#include <QString>

namespace quadric::widgets {

/// What is said to the user about the execution of the open study, and what mends it.
struct RunMessage {
    enum class Severity { News, Good, Warning, Error };
    enum class Remedy {
        None,
        Start,          ///< the runs that are left are started (again)
        EditMeasurement ///< the study says how it is measured, and that is wrong
    };

    QString words; ///< sentences, never of the command line; empty: there is nothing to say
    Severity severity = Severity::News;
    Remedy remedy = Remedy::None;
};

} // namespace quadric::widgets

Q_DECLARE_METATYPE(quadric::widgets::RunMessage)
