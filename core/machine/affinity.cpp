// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/affinity.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <limits>

#include <sched.h>

namespace quadric::machine {

namespace {

using Word = unsigned long;

constexpr std::size_t kBitsPerWord = std::numeric_limits<Word>::digits;
constexpr std::size_t kMostCpus = std::size_t{1} << 16;

std::size_t bytesOf(const std::vector<Word>& bits)
{
    return bits.size() * sizeof(Word);
}

/// The kernel refuses a mask that is too small for its processors: a larger one is tried then.
std::vector<Word> ownMask()
{
    for (std::size_t cpus = CPU_SETSIZE; cpus <= kMostCpus; cpus *= 2) {
        std::vector<Word> bits(cpus / kBitsPerWord);
        if (sched_getaffinity(0, bytesOf(bits), reinterpret_cast<cpu_set_t*>(bits.data())) == 0)
            return bits;
        if (errno != EINVAL)
            break;
    }
    return {};
}

/// A number at `at`, which moves behind it; -1 without one.
int takeNumber(std::string_view text, std::size_t& at)
{
    int value = -1;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (error == std::errc())
        at = static_cast<std::size_t>(end - text.data());
    return error == std::errc() ? value : -1;
}

} // namespace

std::vector<int> allowedCpus()
{
    const std::vector<Word> bits = ownMask();
    std::vector<int> cpus;
    for (std::size_t cpu = 0; cpu < bits.size() * kBitsPerWord; ++cpu) {
        if ((bits[cpu / kBitsPerWord] >> (cpu % kBitsPerWord) & 1U) != 0)
            cpus.push_back(static_cast<int>(cpu));
    }
    return cpus;
}

CpuMask::CpuMask(const std::vector<int>& cpus)
{
    const int last = cpus.empty() ? 0 : *std::ranges::max_element(cpus);
    m_bits.resize(std::max<std::size_t>(CPU_SETSIZE, static_cast<std::size_t>(last) + 1) / kBitsPerWord + 1);
    for (const int cpu : cpus) {
        const auto bit = static_cast<std::size_t>(cpu);
        m_bits[bit / kBitsPerWord] |= Word{1} << (bit % kBitsPerWord);
    }
}

bool CpuMask::apply() const noexcept
{
    return sched_setaffinity(0, bytesOf(m_bits), reinterpret_cast<const cpu_set_t*>(m_bits.data())) == 0;
}

std::string cpuListText(std::vector<int> cpus)
{
    std::ranges::sort(cpus);
    std::string text;
    for (std::size_t first = 0, next = 0; first < cpus.size(); first = next) {
        for (next = first + 1; next < cpus.size() && cpus[next] == cpus[next - 1] + 1;)
            ++next;
        if (!text.empty())
            text += ',';
        text += std::to_string(cpus[first]);
        if (next - first > 1)
            text.append(1, '-').append(std::to_string(cpus[next - 1]));
    }
    return text;
}

std::vector<int> parseCpuList(std::string_view text)
{
    std::vector<int> cpus;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const int first = takeNumber(text, at);
        if (first < 0)
            break;
        int last = first;
        if (at < text.size() && text[at] == '-')
            last = takeNumber(text, ++at);
        if (last >= static_cast<int>(kMostCpus) || cpus.size() >= kMostCpus)
            break;
        for (int cpu = first; cpu <= last; ++cpu)
            cpus.push_back(cpu);
        if (at < text.size() && text[at] != ',')
            break;
    }
    std::ranges::sort(cpus);
    cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
    return cpus;
}

} // namespace quadric::machine
