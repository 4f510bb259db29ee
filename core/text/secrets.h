// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace quadric::text {

/// Stands where a secret stood.
inline constexpr std::string_view kLeftOut = "(left out: may hold a secret)";

/// The text with kLeftOut in the place of what is known to be a secret by its form: tokens that begin as
/// their issuers document ("ghp_…", "AKIA…"), JSON Web Tokens, PEM blocks, and passwords in addresses
/// ("https://user:password@host"). Words and names are not guessed at.
std::string withoutSecrets(std::string_view text);

} // namespace quadric::text
