// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/exchange/plan_record.h"

#include "core/trainer/base/hash.h"

namespace quadric::trainer {

void PlanRecord::add(const std::string& problem, const std::string& engine)
{
    Hash all;
    all.add(hash);
    all.add(problem);
    all.add(engine);
    hash = all.value();
    ++engines[engine.substr(0, engine.find('_'))];
}

std::string PlanRecord::hashText() const
{
    return hexText(hash);
}

} // namespace quadric::trainer
