// main() of every test executable: doctest's own, except that a run in which no test case was selected
// fails. A filter that matches nothing would otherwise pass for ever.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

namespace {

unsigned selected = 0;

struct CountSelected : doctest::IReporter {
  explicit CountSelected(const doctest::ContextOptions& /*options*/) {}
  void test_run_end(const doctest::TestRunStats& stats) override {
    selected = stats.numTestCasesPassingFilters;
  }

  void report_query(const doctest::QueryData& /*data*/) override {}
  void test_run_start() override {}
  void test_case_start(const doctest::TestCaseData& /*data*/) override {}
  void test_case_reenter(const doctest::TestCaseData& /*data*/) override {}
  void test_case_end(const doctest::CurrentTestCaseStats& /*stats*/) override {}
  void test_case_exception(const doctest::TestCaseException& /*exception*/) override {}
  void subcase_start(const doctest::SubcaseSignature& /*signature*/) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& /*data*/) override {}
  void log_message(const doctest::MessageData& /*data*/) override {}
  void test_case_skipped(const doctest::TestCaseData& /*data*/) override {}
};

}  // namespace

REGISTER_LISTENER("count_selected", 1, CountSelected);

int main(int argc, char** argv) {
  doctest::Context context(argc, argv);
  const int result = context.run();
  if (context.shouldExit()) return result;  // --list-test-cases, --help and the like run nothing by design
  if (selected == 0) {
    std::fprintf(stderr, "no test case was selected\n");
    return 2;
  }
  return result;
}
