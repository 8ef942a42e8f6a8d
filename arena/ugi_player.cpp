#include "arena/ugi_player.h"

#include <algorithm>
#include <utility>

namespace gounki::arena {

UgiPlayer::UgiPlayer(const UgiConfig& config, std::vector<std::string> command,
                     UgiClient::Settings settings, std::string name)
    : config_(config), command_(std::move(command)), settings_(std::move(settings)),
      name_(std::move(name)) {}

// All are told first, so that they end at the same time.
UgiPlayer::~UgiPlayer() {
  for (const auto& client : idle_) client->quit();
}

Expected<void> UgiPlayer::prepare() {
  auto client = std::make_unique<UgiClient>(config_, command_, settings_);
  try {
    client->start();
  } catch (const UgiFault& fault) {
    client->kill();
    return fail(fault.text);
  }
  give_back(std::move(client));
  return {};
}

void UgiPlayer::choose(std::span<const Turn> turns, std::span<Choice> choices) {
  for (std::size_t i = 0; i < turns.size(); ++i) choices[i] = choose(turns[i]);
}

Choice UgiPlayer::choose(const Turn& turn) {
  if (const auto given_up = fault_of_giving_up()) return *given_up;
  std::unique_ptr<UgiClient> client = borrow(*turn.game);
  Choice choice;
  try {
    if (client->running() && !client->follows(*turn.game) && !client->answers()) {
      // It ended between two games, which it has not lost by that.
      client->kill();
      const std::lock_guard lock(mutex_);
      ++to_replace_;
    }
    if (!client->running()) start(*client);
    choice = client->choose(turn);
    const std::lock_guard lock(mutex_);
    failures_ = 0;
  } catch (const UgiFault& fault) {
    choice = {.move = {}, .fault = fault.fault, .fault_text = fault.text};
    if (fault.ends_process()) {
      const bool ran = client->running();
      client->kill();
      const std::lock_guard lock(mutex_);
      ++failures_;
      to_replace_ += ran;
    }
  }
  give_back(std::move(client));
  return choice;
}

std::optional<Choice> UgiPlayer::fault_of_giving_up() const {
  const std::lock_guard lock(mutex_);
  if (failures_ <= config_.restarts) return std::nullopt;
  return Choice{.move = {},
                .fault = Fault::Crash,
                .fault_text = "it failed " + std::to_string(failures_) +
                              " times in a row and is not started again"};
}

void UgiPlayer::start(UgiClient& client) {
  {
    const std::lock_guard lock(mutex_);
    if (to_replace_ > 0) {
      --to_replace_;
      ++restarts_;
    }
  }
  client.start();
}

int UgiPlayer::restarts() const {
  const std::lock_guard lock(mutex_);
  return restarts_;
}

// The process that knows the game, else one that is idle, else a new one.
std::unique_ptr<UgiClient> UgiPlayer::borrow(const Game& game) {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return std::make_unique<UgiClient>(config_, command_, settings_);
  const auto knows = [&](const auto& client) { return client->follows(game); };
  const auto found = std::find_if(idle_.begin(), idle_.end(), knows);
  auto client = std::move(found == idle_.end() ? idle_.back() : *found);
  idle_.erase(found == idle_.end() ? idle_.end() - 1 : found);
  return client;
}

void UgiPlayer::give_back(std::unique_ptr<UgiClient> client) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(client));
}

}  // namespace gounki::arena
