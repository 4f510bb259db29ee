// SPDX-License-Identifier: GPL-3.0-or-later
#include "rank_threads.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

namespace quadric::trainer::testing {

void asRanks(int ranks, const std::function<void(Collective&)>& function, Meet meet)
{
    std::string folder = (std::filesystem::temp_directory_path() / "quadric-ranks-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
        threads.emplace_back([&, rank] {
            try {
                function(*meet(rank, ranks, {.folder = folder}));
            } catch (const std::exception& error) {
                ADD_FAILURE() << "rank " << rank << ": " << error.what();
            }
        });
    }
    threads.clear();
    std::filesystem::remove_all(folder);
}

} // namespace quadric::trainer::testing
