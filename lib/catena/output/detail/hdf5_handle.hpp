// Handles of the HDF5 library that close themselves, its failures as SinkError, and the library for one thread at a
// time.
#pragma once
#include <catena/driver/sink.hpp>

#include <hdf5.h>

#include <filesystem>
#include <mutex>
#include <string>
#include <utility>

namespace catena::detail {

class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Handle(hid_t id, Close closing) : id_(id), close_(closing) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }
  // False: what was still to be written could not be.
  bool close() { return close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_;
  Close close_;
};

// One file and what is being done to it, for messages.
class Hdf5Work {
 public:
  Hdf5Work(std::filesystem::path path, std::string doing)
      : path_(std::move(path)), doing_(std::move(doing)) {}

  Hdf5Handle handle(hid_t id, Hdf5Handle::Close close, const std::string& what) const {
    if (id < 0) fail(what);
    return {id, close};
  }
  void check(herr_t result, const std::string& what) const {
    if (result < 0) fail(what);
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw SinkError("cannot " + doing_ + " " + path_.string() + ": " + why);
  }

 private:
  std::filesystem::path path_;
  std::string doing_;
};

// The library to ourselves, as it may be compiled for one thread at a time, and silent: it prints its own errors
// unless it is asked not to. It closes nothing at the exit of the program: of a file that could not be written to its end
// (full disk, ulimit -f) version 1.10 follows a pointer there that it has freed. We close what we open.
class Hdf5Session {
 public:
  Hdf5Session() : lock_(mutex()) {
    static const herr_t none_at_exit = H5dont_atexit();  // of use before the library's first call alone
    (void)none_at_exit;
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  Hdf5Session(const Hdf5Session&) = delete;
  Hdf5Session& operator=(const Hdf5Session&) = delete;
  ~Hdf5Session() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  std::lock_guard<std::mutex> lock_;
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace catena::detail
