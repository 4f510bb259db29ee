// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/explore_page.h"

namespace quadric::widgets {

struct ExplorePage::Parts {
    ContextPointer context;
};

ExplorePage::ExplorePage(QWidget* parent)
    : Page(parent)
    , m_parts(std::make_unique<Parts>())
{
}

ExplorePage::~ExplorePage() = default;

void ExplorePage::setContext(ContextPointer context)
{
    m_parts->context = std::move(context);
}

void ExplorePage::showResponse(const QString&) {}
void ExplorePage::pickRun(int) {}

} // namespace quadric::widgets
