// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"

#include <QAbstractButton>

namespace quadric::widgets {

/// The study with its fits, as the editor hands it to a page.
ContextPointer contextOf(study::Study study);

/// The example that comes with the program: three factors, two responses, 15 simulated runs.
study::Study example();

/// The example before any run is done.
study::Study exampleWithoutResults();

/// All bytes of a file; empty where it cannot be read.
QByteArray contentOf(const QString& path);

/// The first button whose text contains these words (mnemonics left out).
QAbstractButton* buttonWith(const QWidget& page, const QString& words);

/// The first child of this kind with this accessible name.
template <typename Widget> Widget* named(const QWidget& page, const QString& accessibleName)
{
    for (Widget* widget : page.findChildren<Widget*>())
        if (widget->accessibleName() == accessibleName)
            return widget;
    return nullptr;
}

} // namespace quadric::widgets
