// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/resources.h"

#include <QtGlobal>

#include <QDir>

/// The macro must stand outside of every namespace.
static void initialize()
{
    Q_INIT_RESOURCE(quadric);
}

namespace quadric::app {

void loadResources()
{
    initialize();
}

} // namespace quadric::app
