// SQLite, as far as tables of rows need it. What cannot be done is a SinkError with the name of the file.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace catena::detail {

class Database;

// One statement, compiled once; parameters and columns count from 0.
class Statement {
 public:
  Statement(Database& database, const std::string& sql);
  ~Statement();
  Statement(Statement&& other) noexcept;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(int at, std::int64_t value);
  Statement& bind(int at, double value);  // nan: nothing
  Statement& bind(int at, const std::string& value);
  Statement& bind(int at, const std::vector<double>& numbers);  // as bytes, the lowest of each number first
  Statement& bind_nothing(int at);
  Statement& bind_as(int at, const Statement& other, int column);  // what the other has there
  // A whole number or a number where the text is one, else the text. A whole number outside of 64 bits stays a text: a seed
  // has up to 2^64 - 1, and a double would be another one.
  Statement& bind_cell(int at, const std::string& text);

  bool next();  // false: there is no further row
  void run();   // to its end, and ready for the next values

  int columns() const;
  std::int64_t whole(int column) const;
  double number(int column) const;  // nan: nothing
  std::string text(int column) const;
  // As it reads back to the same bits: numbers in the fewest digits, nothing as an empty text.
  std::string cell(int column) const;
  bool is_number(int column) const;
  std::vector<double> numbers(int column) const;  // of bind()
  // Whether the bytes are those that the other has there.
  bool same(int column, const Statement& other, int column_of_other) const;

 private:
  void check(int code) const;  // throws for an error of SQLite

  Database* database_;
  sqlite3_stmt* statement_ = nullptr;
};

class Database {
 public:
  enum class Mode {
    owned,  // made where it is not there; no other process may open it meanwhile
    read_only
  };
  // path: empty: a temporary file without a name, which goes with the process; SQLite holds 2 MB of it in memory.
  Database(const std::filesystem::path& path, Mode mode);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const std::string& sql);
  void finish();  // all that is in the log is in the file; the last use of one that is owned
  std::int64_t whole(const std::string& sql);  // the first number that it gives
  std::size_t most_columns() const;            // of one table
  // Whether the next transactions are on disk when they are committed; if not, a kill loses none of them, a power cut may
  // lose the last ones, and the file is sound in any case.
  void wait_for_disk(bool wait);
  // Throws where the file is no longer at its path, so that nobody would find what is written.
  void refuse_moved() const;
  const std::string& name() const { return name_; }
  // Throws for the last error of SQLite, or for this one.
  [[noreturn]] void fail(int code) const;

 private:
  friend class Statement;
  friend class Transaction;
  void begin();  // a transaction; these two are compiled once
  void commit();

  std::string name_;
  sqlite3* database_ = nullptr;
  bool owned_ = false;
  std::optional<bool> waits_;
  std::optional<Statement> begin_, commit_;
};

// A name of a column or table in SQL.
std::string quoted(const std::string& name);
std::string quoted_list(const std::vector<std::string>& names);  // with commas between

// What is done until it goes is done as a whole when commit() is called, and not at all else.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database) { database_.begin(); }
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool done_ = false;
};

}  // namespace catena::detail
