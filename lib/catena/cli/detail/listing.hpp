// What `catena list` prints, as aligned text for a terminal or as Markdown for docs/reference.
#pragma once
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace catena::detail {

class Listing {
 public:
  using Cells = std::vector<std::string>;

  virtual ~Listing() = default;
  // Title and introduction of a whole page; text has none.
  virtual void page(const std::string& title, const std::string& introduction) = 0;
  virtual void entry(const std::string& name, const std::string& summary) = 0;
  virtual void remark(const std::string& sentence) = 0;  // one line of an entry
  // The first row holds the titles; the first column holds names as they are typed.
  virtual void table(const std::vector<Cells>& rows) = 0;
  virtual void paragraph(const std::string& sentences) = 0;
  virtual void end_entry() = 0;
  // Whether all remarks of an entry should come before its table.
  virtual bool options_last() const = 0;

  // out must outlive what is made.
  static std::unique_ptr<Listing> text(std::ostream& out);
  static std::unique_ptr<Listing> markdown(std::ostream& out);
};

}  // namespace catena::detail
