// YAML documents as trees: texts in every style, places of values, and what is refused where.
#include <catena/io/detail/document.hpp>
#include <catena/io/detail/file_errors.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace {

std::unique_ptr<const Document> parse(const std::string& text) { return Document::parse("f", text); }

// "3:5 text" of every value, depth first, in the order of the text.
void list(const FileNode& node, std::vector<std::string>& out) {
  out.push_back(std::to_string(node.line()) + ':' + std::to_string(node.column()) + ' ' + node.what());
  if (!node.is_map() && !node.is_sequence()) return;
  for (FileNode child = node.first(); child; child = child.next()) list(child, out);
}
std::vector<std::string> values(const std::string& text) {
  std::vector<std::string> out;
  const auto document = parse(text);
  list(document->root(), out);
  return out;
}

std::string refusal(const std::string& text) {
  try {
    parse(text);
    return "";
  } catch (const ModelFileError& error) {
    return error.what();
  }
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("every value knows the line and column where it is") {
  const char* const text =
      "bodies:\n"
      "  - name: link 1  # a comment\n"
      "    inertia: [1, 2.5,\n"
      "      3]\n"
      "  - {name: \"b\", mass: }\n";
  CHECK(values(text) == Lines{"1:1 a map", "1:1 \"bodies\"", "2:3 a list of 2", "2:5 a map", "2:5 \"name\"",
                              "2:11 \"link 1\"", "3:5 \"inertia\"", "3:14 a list of 3", "3:15 \"1\"",
                              "3:18 \"2.5\"", "4:7 \"3\"", "5:5 a map", "5:6 \"name\"", "5:12 \"b\"",
                              "5:17 \"mass\"", "5:23 nothing"});
}

TEST_CASE("columns count characters, not bytes, and line ends may be those of Windows") {
  CHECK(values("\"\xC3\xBC\xE2\x82\xAC\": a\r\nb: 1\r\n") ==
        Lines{"1:1 a map", "1:1 \"\xC3\xBC\xE2\x82\xAC\"", "1:7 \"a\"", "2:1 \"b\"", "2:4 \"1\""});
}

TEST_CASE("texts in every style of YAML come without quotes, escapes and folds") {
  const auto text = [](const std::string& value) {
    const auto document = parse("a: " + value + "\n");
    return std::string(document->root().first().next().text());
  };
  CHECK(text("plain words   # comment") == "plain words");
  CHECK(text("'it''s'") == "it's");
  CHECK(text("'it''''''s'") == "it'''s");
  CHECK(text("\"a\\t\\\"b\\\\ \\u00fc \\x41\"") == "a\t\"b\\ \xC3\xBC A");
  CHECK(text("over two\n  lines") == "over two lines");
  CHECK(text("'over\n\n\n  lines'") == "over\n\nlines");
  CHECK(text("|\n  over\n  lines") == "over\nlines\n");
  CHECK(text(">-\n  over\n  lines\n\n  and more") == "over lines\nand more");
  for (const std::size_t size : {1U, 65535U, 65536U, 65537U, 200000U}) {  // around the blocks that hold texts
    const std::string word(size, 'x');
    CHECK(text(word) == word);
  }
}

TEST_CASE("null is the empty value, ~ and the word; in quotes they are texts") {
  const auto document = parse("- \n- ~\n- null\n- Null\n- NULL\n- 'null'\n- \"\"\n- nULL\n");
  std::vector<bool> nulls;
  for (FileNode node = document->root().first(); node; node = node.next()) nulls.push_back(node.is_null());
  CHECK(nulls == std::vector<bool>{true, true, true, true, true, false, false, false});
}

TEST_CASE("aliases are shared, a name may be given again, and an alias is placed where it is written") {
  CHECK(values("a: &x [1, 2]\nb: *x\nc: &x 3\nd: *x\n") ==
        Lines{"1:1 a map", "1:1 \"a\"", "1:4 a list of 2", "1:8 \"1\"", "1:11 \"2\"", "2:1 \"b\"",
              "2:4 a list of 2", "1:8 \"1\"", "1:11 \"2\"", "3:1 \"c\"", "3:4 \"3\"", "4:1 \"d\"",
              "4:4 \"3\""});
  // The list, the anchored list with its three numbers, and two aliases.
  CHECK(parse("[&a [1, 2, 3], *a, *a]")->entries().size() == 7);
}

TEST_CASE("what is not YAML is refused at its place, with the list or map in which it is") {
  CHECK(refusal("a: [1, 2\nb: 3\n") ==
        "f:2:2: not YAML: did not find expected ',' or ']' (in the list that begins in line 1, column 4)");
  CHECK(refusal("a:\n  b: 1\n c: 2\n") ==
        "f:3:2: not YAML: did not find expected key (in the map that begins in line 1, column 1)");
  CHECK(refusal("a: 'b\n") ==
        "f:2:1: not YAML: found unexpected end of stream (while scanning a quoted scalar that begins in line "
        "1, "
        "column 4)");
  CHECK(refusal("a: 1\n\tb: 2\n") == "f:2:1: not YAML: a tab; indent with spaces");
  CHECK(refusal("a: 1\nb: \xEF\xBF\xBE\n") == "f:2:4: not YAML: control characters are not allowed");
  CHECK(refusal("a: 1\nb: \xC3\xBC\x01\n") == "f:2:5: not text in UTF-8: the byte 0x01");
  CHECK(refusal("a: b: c\n") == "f:1:5: not YAML: mapping values are not allowed in this context");
}

TEST_CASE("a hundred levels are read, and one more is refused however long the file is") {
  CHECK(refusal(std::string(100, '[') + std::string(100, ']')) == "");
  CHECK(refusal(std::string(101, '[') + std::string(101, ']')) ==
        "f:1:101: more than 100 levels of lists and maps");
  for (const char* unit : {"[", "{", "- ", "? ", "{a: "}) {
    std::string text;
    while (text.size() < 10'000'000) text += unit;
    CAPTURE(unit);
    CHECK(refusal(text).ends_with("more than 100 levels of lists and maps"));
  }
}
