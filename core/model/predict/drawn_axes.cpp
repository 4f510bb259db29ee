// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/drawn_axes.h"

#include <algorithm>

namespace quadric::model {

std::vector<double> positionsAlong(const study::Factor& factor, int points, double low, double high)
{
    const int count = factor.isNumeric() ? std::max(points, 2) : static_cast<int>(factor.categories.size());
    std::vector<double> positions;
    positions.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        positions.push_back(factor.isNumeric() ? low + (high - low) * i / (count - 1)
                                               : static_cast<double>(i));
    return positions;
}

double actualAt(const study::Coding& coding, std::size_t factor, double coded)
{
    return coding.factors()[factor].isNumeric() ? coding.toActual(factor, coded) : coded;
}

EffectCurve emptyCurve(const study::Factor& factor, const std::string& response, const std::string& unit)
{
    EffectCurve curve;
    curve.factor = factor.name;
    curve.unit = factor.unit;
    curve.response = response;
    curve.responseUnit = unit;
    curve.isLog2 = factor.scale == study::Scale::Log2;
    curve.categories = factor.categories;
    return curve;
}

void appendPoint(const Prediction& prediction, double actual, EffectCurve& curve)
{
    curve.actual.push_back(actual);
    curve.mean.push_back(prediction.mean);
    curve.isExtrapolation.push_back(prediction.isExtrapolation);
    if (prediction.confidence) {
        curve.low.push_back(prediction.confidence->low);
        curve.high.push_back(prediction.confidence->high);
    }
}

} // namespace quadric::model
