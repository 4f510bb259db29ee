// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QCoreApplication;

namespace quadric::app {

/// Loads quadric_XX.qm of the user's language from quadric/translations in a data folder of the user or the
/// system, or beside the program's own data, with Qt's texts; English where there is none.
void loadTranslations(QCoreApplication& application);

/// The window's sentences about fits, measurements and designs go through QCoreApplication::translate() from
/// now on, in the context "catalogue".
void translateCatalogue();

} // namespace quadric::app
