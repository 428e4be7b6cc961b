// What the fuzzer does (tests/fuzz/read_model.cpp), to every example and every broken file, to all beginnings of the
// short ones and with single bytes changed.
#include "fuzz/read_model.cpp"  // NOLINT(bugprone-suspicious-include)
#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

namespace {

void feed(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

std::vector<std::string> corpus() {
  const std::filesystem::path tests = catena_test::source_folder() / "tests";
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& folder : {tests / "io/broken", tests / "../problems/files"})
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const std::filesystem::path& file : files) texts.push_back(catena_test::file_text(file));
  return texts;
}

}  // namespace

TEST_CASE("every file of the corpus gives a model or a sentence") {
  const std::vector<std::string> texts = corpus();
  CHECK(texts.size() > 90);
  for (const std::string& text : texts) feed(text);
}

TEST_CASE("so does every beginning of a short file, and every file with a byte changed") {
  for (const std::string& text : corpus()) {
    if (text.size() > 250) continue;
    for (std::size_t k = 0; k < text.size(); k += 3) {
      feed(text.substr(0, k));
      std::string changed = text;
      changed[k] = "-:{}[]&*'\"#\n 0e"[k % 15];
      feed(changed);
    }
  }
}
