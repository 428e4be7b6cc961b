#include <catena/io/plain_yaml.hpp>

namespace catena {

bool parse_plain_yaml(Document& document) {
  (void)document;
  return false;
}

}  // namespace catena
