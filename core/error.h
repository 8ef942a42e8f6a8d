// How failures travel. What a caller can expect to go wrong (text that does not parse, an illegal
// move) comes back as an Expected; what ends the work asked for is thrown as a Failure.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace gounki {

// One line: what is wrong, where, and what was expected.
struct Error {
  std::string message;
};

template <class T>
using Expected = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(std::string message) {
  return tl::make_unexpected(Error{std::move(message)});
}

// What was asked for could not be done: exit status 1.
class Failure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The request itself is wrong, usage or configuration: exit status 2.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace gounki
