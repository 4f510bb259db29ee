// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/shell/output_channel.h"

#include <mutex>
#include <streambuf>

namespace quadric::app {

/// The stream buffer of a text stream: line by line, made visible, into a channel. Several threads may write.
class VisibleBuffer : public std::streambuf {
public:
    explicit VisibleBuffer(int descriptor);

    /// The same bytes, after all text before them.
    void writeRaw(std::string_view bytes);

    void writeInBackground(const MissingLines& missing);
    void setLastWords(std::optional<std::chrono::milliseconds> patience);

    /// Writes what is left. Returns the errno of what was not written; 0 also where the reader is gone and
    /// nobody waits for one.
    int finish();

    bool isTerminal() const { return m_isTerminal; }

protected:
    int_type overflow(int_type letter) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;

private:
    void append(std::string_view text);
    void send(std::size_t size);

    std::mutex m_mutex;
    OutputChannel m_channel;
    std::string m_text; ///< not sent yet
    bool m_isTerminal;
    bool m_needsReader = true;
    std::optional<std::chrono::milliseconds> m_patience;
};

} // namespace quadric::app
