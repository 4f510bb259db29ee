// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace quadric::trainer::cuda {

/// A library that is opened while the program runs, because it may be missing. It stays open until the
/// program ends: what it made and threw outlives this object.
class SharedLibrary {
public:
    /// Tries to open it; look at isOpen().
    explicit SharedLibrary(const std::string& file);

    bool isOpen() const { return m_handle != nullptr; }
    const std::string& whyNot() const { return m_whyNot; } ///< the system's words; empty when it is open
    /// The function of that name, null when the library has none.
    void* find(const char* name) const;

private:
    void* m_handle;
    std::string m_whyNot;
};

/// POSIX hands out functions as data.
template <typename Function> Function* asFunction(void* symbol)
{
    return reinterpret_cast<Function*>(symbol);
}

} // namespace quadric::trainer::cuda
