// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/response.h"

#include <gtest/gtest.h>

namespace quadric::study {
namespace {

Quantity measured(const char* name, const char* unit)
{
    return quantityOf({.name = name, .unit = unit});
}

TEST(QuantityTest, UnitsSayWhatIsMeasured)
{
    for (const char* unit : {"img/s", "tokens/sec", "samples/min", "TFLOPS", "GB/s"})
        EXPECT_EQ(measured("y", unit), Quantity::Speed) << unit;
    for (const char* unit : {"ms", "s", "µs", "min", "h", "days"})
        EXPECT_EQ(measured("y", unit), Quantity::Time) << unit;
    for (const char* unit : {"GiB", "MB", "bytes"})
        EXPECT_EQ(measured("y", unit), Quantity::Memory) << unit;
    for (const char* unit : {"kWh", "J", "W", "J/img"})
        EXPECT_EQ(measured("y", unit), Quantity::Energy) << unit;
    EXPECT_EQ(measured("y", "%"), Quantity::Percent);
    for (const char* unit : {"", "points", "USD"})
        EXPECT_EQ(measured("y", unit), Quantity::Other) << unit;
}

TEST(QuantityTest, NamesSayItWhereThereIsNoUnit)
{
    EXPECT_EQ(measured("images_per_sec", ""), Quantity::Speed);
    EXPECT_EQ(measured("Latency p99", ""), Quantity::Time);
    EXPECT_EQ(measured("peak_memory", ""), Quantity::Memory);
    EXPECT_EQ(measured("energy", ""), Quantity::Energy);
    EXPECT_EQ(measured("accuracy", ""), Quantity::Other);
    EXPECT_EQ(measured("latency", "points"), Quantity::Other) << "a unit counts more than a name";
    EXPECT_EQ(measured("speed", "%"), Quantity::Percent);
}

TEST(PhysicalBoundsTest, AreThoseOfTheQuantity)
{
    const auto boundsOf = [](const char* name, const char* unit, double smallest, double largest) {
        return physicalBounds({.name = name, .unit = unit}, smallest, largest);
    };
    EXPECT_EQ(boundsOf("y", "img/s", 3, 9), Bounds{});
    EXPECT_EQ(boundsOf("loss", "", 0.3, 0.9), Bounds{});
    EXPECT_EQ(boundsOf("y", "%", 20, 80), (Bounds{0.0, 100.0}));
    EXPECT_EQ(boundsOf("y", "%", 20, 104), (Bounds{0.0, 104.0})) << "what was measured is possible";
    EXPECT_EQ(boundsOf("y", "", 3, 9), std::nullopt);
    EXPECT_EQ(boundsOf("y", "s", -1, 9), std::nullopt) << "a difference of times";
    EXPECT_EQ(boundsOf("y", "%", -4, 9), std::nullopt);
}

TEST(PhysicalBoundsTest, TheResponsesOwnComeFirst)
{
    const Response share{.name = "y", .unit = "%", .bounds = Bounds{-5.0, 60.0}};
    EXPECT_EQ(physicalBounds(share, 0, 50), (Bounds{-5.0, 60.0}));
}

} // namespace
} // namespace quadric::study
