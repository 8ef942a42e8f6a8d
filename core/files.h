// Whole files, in and out. A reader never sees a part of one: it is written under a temporary name,
// synced, and renamed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gounki {

// Throws a Failure that names the file and the reason (no space left, no permission, …). A temporary
// file that a kill left behind is "<name>.tmp<pid>", which no reader takes for the file. What is no
// ordinary file (a device, a pipe) is never replaced.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);
// Throws a Failure now where write_file_atomically would for the place of the file: no such folder, no
// right to write there, or something there that is no ordinary file.
void check_writable(const std::filesystem::path& path);
// Throws a Failure, "cannot read PATH: …", for what is no ordinary file: a folder, a device, a pipe.
void check_ordinary_file(const std::filesystem::path& path, const std::string& doing);
// Throws a Failure when the file cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace gounki
