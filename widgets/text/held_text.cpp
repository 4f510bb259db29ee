// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/held_text.h"

#include "widgets/text/translate.h"
#include "widgets/text/wording.h"

namespace quadric::widgets {

namespace {

/// The settings of all factors but these.
QString settingsBut(const study::Study& study, const study::CodedPoint& at,
                    const std::vector<std::size_t>& shown)
{
    study::Settings settings = study::Coding(study.factors).toSettings(at);
    for (const std::size_t factor : shown)
        settings.erase(study.factors[factor].name);
    return settingsText(study, settings);
}

} // namespace

QString heldText(const study::Study& study, const study::CodedPoint& at,
                 const std::vector<std::size_t>& shown)
{
    const QString held = settingsBut(study, at, shown);
    return held.isEmpty() ? held : tr("at %1").arg(held);
}

QString othersText(const study::Study& study, const study::CodedPoint& at)
{
    return study.factors.size() < 2 ? QString() : tr("others at %1").arg(settingsBut(study, at, {}));
}

QString referenceText(const study::Study& study, const study::CodedPoint& at)
{
    return tr("from %1").arg(settingsBut(study, at, {}));
}

} // namespace quadric::widgets
