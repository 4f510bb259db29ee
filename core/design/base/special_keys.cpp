// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/special_keys.h"

#include <map>

namespace quadric::design {

std::vector<std::string_view> typesThatTake(std::string_view key)
{
    static const std::map<std::string_view, std::vector<std::string_view>> types = {
        {"alpha", {"central-composite"}},
        {"digits", {"d-optimal", "i-optimal"}},
        {"generators", {"fractional-factorial"}},
        {"levels", {"full-factorial"}},
        {"model", {"d-optimal", "i-optimal"}},
        {"resolution", {"fractional-factorial"}},
        {"runs",
         {"fractional-factorial", "plackett-burman", "definitive-screening", "latin-hypercube", "d-optimal",
          "i-optimal"}}};
    const auto found = types.find(key);
    return found == types.end() ? std::vector<std::string_view>() : found->second;
}

} // namespace quadric::design
