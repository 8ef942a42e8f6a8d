// How a command declares its options. The library that reads command lines stays behind this: its
// header takes longer to compile than any command.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/params.h"

namespace CLI {
class App;
}  // namespace CLI

namespace gounki::play {

// What help pages and checks need to know of an option besides its name.
struct OptionInfo {
  std::string type = {};  // such as "FILE", for help pages
  bool required = false;
  Range range = {};                       // of a number
  std::vector<std::string> choices = {};  // of a text; any where there is none
};

// A subcommand. A name with dashes is an option, one without is a positional argument; both show
// what the variable holds as their default.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  void option(const std::string& name, std::string& value, const std::string& help,
              const OptionInfo& info = {});
  void option(const std::string& name, int& value, const std::string& help,
              const OptionInfo& info = {});
  void option(const std::string& name, std::int64_t& value, const std::string& help,
              const OptionInfo& info = {});
  // May be given several times, each with one value.
  void repeated(const std::string& name, std::vector<std::string>& values, const std::string& help,
                const std::string& type);
  // What stands on the command line without a name, any number of times.
  void positionals(const std::string& name, std::vector<std::string>& values,
                   const std::string& help);
  void flag(const std::string& name, bool& value, const std::string& help);
  // An option whose text is handed to a function, which throws a UsageError for what it does not
  // like.
  void function(const std::string& name, std::function<void(const std::string&)> read,
                const std::string& help, const std::string& type, const std::string& default_value);

  // The end of the help page.
  void example(const std::string& example, const std::string& more = "");
  // The work, done once the whole command line is read.
  void run(std::function<void()> work);

 private:
  template <class Value>
  void add(const std::string& name, Value& value, const std::string& help, const OptionInfo& info);
  CLI::App* app_;
};

// The program with its subcommands.
class Program {
 public:
  Program(const std::string& name, const std::string& description, const std::string& version);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  Command add_command(const std::string& name, const std::string& description);
  // Reads the command line and does the work of its command. Throws a UsageError that names the
  // option or the nearest command.
  void run(int argc, const char* const* argv);

 private:
  void check_command(int argc, const char* const* argv) const;
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace gounki::play
