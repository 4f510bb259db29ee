// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/legal_repair.h"

#include "core/design/legal_set.h"
#include "core/study/constraint.h"

namespace quadric::design {

namespace {

std::string describe(const study::Settings& settings)
{
    std::string text;
    for (const auto& [name, value] : settings)
        text += (text.empty() ? "" : ", ") + name + " = " + study::toText(value);
    return text;
}

/// The first constraint that does not hold.
std::string brokenConstraint(const study::Study& study, study::Settings settings)
{
    settings.insert(study.fixed.begin(), study.fixed.end());
    for (const std::string& text : study.constraints) {
        if (!study::Constraint(text).holds(settings))
            return text;
    }
    return {};
}

study::Settings repaired(const study::Study& study, const LegalSet& legal, const study::Coding& coding,
                         const study::Settings& snapped, std::size_t run)
{
    const std::optional<Eigen::RowVectorXd> point = legal.nearest(coding.toCoded(snapped).x.transpose());
    if (point)
        return coding.toLegalSettings(study::CodedPoint(point->transpose()));
    throw DesignError("run " + std::to_string(run + 1) + " (" + describe(snapped) +
                      ") does not satisfy the constraint '" + brokenConstraint(study, snapped) +
                      "', and no settings near it do. Narrow the factors' ranges, or lay out a d-optimal "
                      "design, which looks for legal settings only");
}

} // namespace

std::vector<study::Settings> legalSettings(const study::Study& study, const std::vector<DesignPoint>& points)
{
    const LegalSet legal(study);
    const study::Coding coding(study.factors);
    std::vector<study::Settings> all;
    for (const DesignPoint& point : points) {
        study::Settings settings = coding.toLegalSettings(point.point);
        if (legal.hasConstraints() && !study::isLegal(study, settings))
            settings = repaired(study, legal, coding, settings, all.size());
        all.push_back(std::move(settings));
    }
    return all;
}

} // namespace quadric::design
