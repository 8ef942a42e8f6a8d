#include "play/ugi_settings.h"

#include <type_traits>

#include "core/text.h"

namespace gounki::play {
namespace {

// Texts of which only some are right; EngineConfig::check() refuses all others.
std::vector<std::string> choices_of(const std::string& name) {
  if (name == "algorithm") return {"puct", "gumbel"};
  if (name == "choice") return {"lcb", "visits"};
  return {};
}

}  // namespace

std::vector<arena::UgiOption> ugi_options(const UgiSettings& settings) {
  std::vector<arena::UgiOption> options;
  UgiSettings::describe([&](const char* name, auto member, Range range, const char*) {
    const auto& value = settings.*member;
    using T = std::remove_cvref_t<decltype(value)>;
    arena::UgiOption option{.name = name, .type = "string"};
    if constexpr (std::is_same_v<T, std::string>) {
      option.value = value;
      option.choices = choices_of(name);
      if (!option.choices.empty()) option.type = "combo";
    } else {
      option.value = params_detail::value_text(value);
      if constexpr (std::is_same_v<T, bool>) option.type = "check";
      else if constexpr (std::is_integral_v<T>) option.type = "spin";
      option.range = range;
    }
    options.push_back(std::move(option));
  });
  return options;
}

Expected<void> set_ugi_option(UgiSettings& settings, const std::string& name,
                              const std::string& value) {
  std::string key = name;
  std::transform(key.begin(), key.end(), key.begin(), lower);
  UgiSettings changed = settings;
  if (const auto set = set_param(changed, key, value); !set) return set;
  if (const auto checked = changed.check(); !checked) return checked;
  settings = std::move(changed);
  return {};
}

}  // namespace gounki::play
