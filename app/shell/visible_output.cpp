// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/visible_output.h"

#include "app/shell/visible_buffer.h"
#include "core/text/numbers.h"
#include "core/text/visible_text.h"

#include <cerrno>
#include <iostream>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace quadric::app {

namespace {

/// A stream that was closed before the program started must not become the first file that it opens.
void occupyClosedStreams()
{
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(descriptor, F_GETFD) < 0)
            // In the wrong direction, so that whoever uses it is told. It stays open.
            [[maybe_unused]]
            const int taken = ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/// Null where nobody has made a VisibleOutput, as in a test.
VisibleBuffer* bufferOf(const std::ostream& stream)
{
    return dynamic_cast<VisibleBuffer*>(stream.rdbuf());
}

void writeRaw(std::string_view bytes)
{
    if (VisibleBuffer* buffer = bufferOf(std::cout))
        buffer->writeRaw(bytes);
    else
        std::cout << bytes;
}

} // namespace

VisibleOutput::VisibleOutput(std::string program)
    : m_program(std::move(program))
{
    occupyClosedStreams();
    m_buffers = {std::make_unique<VisibleBuffer>(STDOUT_FILENO),
                 std::make_unique<VisibleBuffer>(STDERR_FILENO)};
    m_before = {std::cout.rdbuf(m_buffers[0].get()), std::cerr.rdbuf(m_buffers[1].get())};
}

VisibleOutput::~VisibleOutput()
{
    std::cout.rdbuf(m_before[0]);
    std::cerr.rdbuf(m_before[1]);
}

int VisibleOutput::finish(int status)
{
    const int error = m_buffers[0]->finish();
    if (error != 0 && error != EPIPE)
        std::cerr << m_program << ": standard output: not all of it was written: "
                  << std::generic_category().message(error) << '\n';
    m_buffers[1]->finish();
    return error != 0 && status == 0 ? 1 : status;
}

void printData(std::string_view data)
{
    if (printsToTerminal())
        writeRaw(text::makeVisible(data, text::LineBreaks::Keep));
    else
        writeRaw(data);
}

void printControl(std::string_view control)
{
    writeRaw(control);
}

bool printsToTerminal()
{
    return ::isatty(STDOUT_FILENO) == 1;
}

std::string missingLinesText(std::size_t count)
{
    return "… " + text::formatCount(count, "line") + (count == 1 ? " is" : " are") +
           " missing here: not read in time\n";
}

void printInBackground(const MissingLines& missing)
{
    if (VisibleBuffer* buffer = bufferOf(std::cout))
        buffer->writeInBackground(missing);
    if (VisibleBuffer* buffer = bufferOf(std::cerr))
        buffer->writeInBackground(missingLinesText);
}

void printLastWords(std::optional<std::chrono::milliseconds> patience)
{
    for (const std::ostream* stream : {&std::cout, &std::cerr})
        if (VisibleBuffer* buffer = bufferOf(*stream))
            buffer->setLastWords(patience);
}

} // namespace quadric::app
