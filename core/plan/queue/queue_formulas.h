// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace quadric::plan {

/// Mean and squared coefficient of variation C² = variance/mean² of what one job takes.
struct Moments {
    double mean = 0.0;
    double squaredVariation = 0.0;
};

/// Of these values, all equally likely. Throws std::invalid_argument without a value and for a mean that is
/// not positive.
Moments momentsOf(const std::vector<double>& values);

/// Erlang C: probability that a job has to wait in M/M/k (Harchol-Balter 2013, 14.3), by the recursion of
/// Erlang B, which never overflows. `load` is arrival rate × mean time of a job; 1 where it is at least
/// `machines`. Throws std::invalid_argument unless machines ≥ 1 and load ≥ 0.
double erlangC(int machines, double load);

/// Mean waiting times in the unit of the job's mean; `rate`: arrivals in the same unit of time. Infinite
/// where rate × mean is at least the number of machines.
double meanWaitMMk(int machines, double rate, double mean);
/// Pollaczek–Khinchine: λ E[S²]/(2(1 − ρ)).
double meanWaitMG1(double rate, const Moments& job);
/// (C² + 1)/2 × that of M/M/k (Lee & Longton 1959): exact for one machine, otherwise near.
double meanWaitMGk(int machines, double rate, const Moments& job);

/// The time that a job of M/M/k waits at most with this probability: P(W > t) = C e^(−(kμ − λ)t).
double waitQuantileMMk(int machines, double rate, double mean, double probability);

} // namespace quadric::plan
