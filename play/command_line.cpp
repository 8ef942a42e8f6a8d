#include "play/command_line.h"

#include <algorithm>
#include <type_traits>

#include <CLI/CLI.hpp>
#include <spdlog/fmt/fmt.h>

#include "core/error.h"

namespace gounki::play {

namespace {

// The name of the command being read, for "see gounki moves --help".
std::string command_given(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return app.get_name() + (commands.empty() ? "" : " " + commands.front()->get_name());
}

}  // namespace

template <class Value>
void Command::add(const std::string& name, Value& value, const std::string& help,
                  const OptionInfo& info) {
  CLI::Option* option = app_->add_option(name, value, help)->required(info.required);
  if (!info.type.empty()) option->type_name(info.type);
  if (!info.choices.empty()) option->check(CLI::IsMember(info.choices));
  if constexpr (std::is_arithmetic_v<Value>) {
    if (info.range.min > std::numeric_limits<double>::lowest() ||
        info.range.max < std::numeric_limits<double>::max())
      option->check(CLI::Range(info.range.min, info.range.max)
                        .description(fmt::format("{:.15g} to {:.15g}", info.range.min,
                                                 info.range.max)));
    option->capture_default_str();
  } else if (!value.empty()) {
    option->capture_default_str();
  }
}

void Command::option(const std::string& name, std::string& value, const std::string& help,
                     const OptionInfo& info) {
  add(name, value, help, info);
}

void Command::option(const std::string& name, int& value, const std::string& help,
                     const OptionInfo& info) {
  add(name, value, help, info);
}

void Command::option(const std::string& name, std::int64_t& value, const std::string& help,
                     const OptionInfo& info) {
  add(name, value, help, info);
}

void Command::repeated(const std::string& name, std::vector<std::string>& values,
                       const std::string& help, const std::string& type) {
  app_->add_option(name, values, help)->type_name(type)->expected(1)->take_all();
}

void Command::positionals(const std::string& name, std::vector<std::string>& values,
                          const std::string& help) {
  app_->add_option(name, values, help)->type_name("TEXT")->required();
}

void Command::flag(const std::string& name, bool& value, const std::string& help) {
  app_->add_flag(name, value, help);
}

void Command::function(const std::string& name, std::function<void(const std::string&)> read,
                       const std::string& help, const std::string& type,
                       const std::string& default_value) {
  app_->add_option_function<std::string>(name, read, help)->type_name(type)->default_str(default_value);
}

void Command::example(const std::string& example, const std::string& more) {
  app_->footer(fmt::format("Example:\n  {}\n{}{}", example, more.empty() ? "" : "\n", more));
}

void Command::run(std::function<void()> work) { app_->callback(std::move(work)); }

struct Program::Parser {
  Parser(const std::string& description, const std::string& name) : app(description, name) {}
  CLI::App app;
};

Program::Program(const std::string& name, const std::string& description,
                 const std::string& version)
    : parser_(std::make_unique<Parser>(description, name)) {
  parser_->app.set_version_flag("--version", version);
  parser_->app.get_formatter()->column_width(34);
  parser_->app.require_subcommand(1);
}

Program::~Program() = default;

Command Program::add_command(const std::string& name, const std::string& description) {
  return Command(*parser_->app.add_subcommand(name, description));
}

// The library would only say that an argument was not expected.
void Program::check_command(int argc, const char* const* argv) const {
  std::vector<std::string> names;
  for (const CLI::App* command : std::as_const(parser_->app).get_subcommands({}))
    names.push_back(command->get_name());
  if (argc < 2)
    throw UsageError(fmt::format("which command? `gounki --help` lists them: {}",
                                 fmt::join(names, ", ")));
  const std::string given = argv[1];
  if (given == "-h" || given == "--help" || given == "--version" ||
      std::find(names.begin(), names.end(), given) != names.end())
    return;
  if (given.starts_with('-'))
    throw UsageError("expected a command before \"" + given + "\"; `gounki --help` lists them");
  throw UsageError("unknown command \"" + given + "\", did you mean \"" +
                   nearest_name(given, names) + "\"?");
}

void Program::run(int argc, const char* const* argv) {
  check_command(argc, argv);
  CLI::App& app = parser_->app;
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    app.exit(success);
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{} (see `{} --help`)", error.what(), command_given(app)));
  }
}

}  // namespace gounki::play
