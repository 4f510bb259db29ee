// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/document/member_json.h"

namespace quadric::study {

constexpr auto membersOf(const PageView*)
{
    return std::tuple{Member{"heights", &PageView::heights}, Member{"views", &PageView::views},
                      Member{"widths", &PageView::widths}};
}

} // namespace quadric::study
