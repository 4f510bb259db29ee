// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/measurement_output.h"

#include "core/model/measurement_card.h"

#include <iostream>

namespace quadric::app {

namespace {

/// Without fits where the study's models cannot be read: the card says what it can.
std::vector<model::Fit> fitsOf(const study::Study& study)
{
    try {
        return model::fitStudy(study);
    } catch (const std::exception&) {
        return {};
    }
}

} // namespace

void printMeasurement(const study::Study& study)
{
    for (const model::ReportCardItem& item : model::measurementCard(study, fitsOf(study))) {
        const char* mark = item.verdict == model::Verdict::Green ? "  " : "! ";
        std::cout << mark << item.topic << ": " << item.sentence
                  << (item.whatToDo.empty() ? "" : " " + item.whatToDo) << '\n';
    }
}

Json measurementJson(const study::Study& study)
{
    Json list = Json::array();
    for (const model::ReportCardItem& item : model::measurementCard(study, fitsOf(study)))
        list.push_back({{"topic", item.topic},
                        {"verdict", model::nameOf(item.verdict)},
                        {"sentence", item.sentence},
                        {"what_to_do", item.whatToDo}});
    return list;
}

} // namespace quadric::app
