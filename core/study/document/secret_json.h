// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/document/json.h"

namespace quadric::study {

/// Puts text::kLeftOut in the place of everything in the value that may hold a secret: by its key, by the
/// option before it in a list, or by what it looks like (core/text/secrets.h). Numbers stay.
void leaveSecretsOut(Json& value);

} // namespace quadric::study
