#include <catena/math/detail/index.hpp>
#include <catena/sparse/detail/chain.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace catena::detail::ldl {
namespace {

constexpr int body_size = 6;
// Shorter chains would have fewer than two bodies a segment, and the rows between segments are then half of the work: they
// are one segment, number by number, unless both ends are held. Such a loop may have redundant rows, whose pivots are roundoff
// and the proximal term, and the guards that know them from rows that are dependent for an instant were fitted to the fronts.
constexpr int fewest_for_lanes = 16;
// Coupled neighbours: a step of generalized_alpha takes 0.95 of the time by fronts for 3 hinges, 0.71 for 10 (AVX-512; AVX2: 1.0 and
// 0.70), and 1.04 for 2.
constexpr int fewest_coupled = 4;

struct Link {
  int dual = -1;
  int incidence[2] = {-1, -1};
  int count = 0;  // bodies
};

// The bodies in the order of the chain, with the rows before each of them and behind the last one.
struct Path {
  std::vector<int> body, before;
  int after = -1;
  // The coupling of each body with the one behind it, as in ChainSlot::coupling but by its number; -1: there is none.
  std::vector<int> coupling;

  bool is_short() const { return static_cast<int>(body.size()) < fewest_for_lanes; }
  // Where only the last body is held: from the other end.
  void begin_at_ground() {
    if (before.front() >= 0 || after < 0) return;
    std::reverse(body.begin(), body.end());
    std::vector<int> rows{after};
    rows.insert(rows.end(), before.rbegin(), before.rend() - 1);
    after = before.front();
    before = std::move(rows);
  }
};

bool all_split(const BlockPattern& p) {
  const auto all = [](const std::vector<std::uint8_t>& flags, std::size_t count) {
    return flags.size() == count &&
           std::all_of(flags.begin(), flags.end(), [](std::uint8_t f) { return f != 0; });
  };
  return all(p.primal_split, p.primal_size.size()) && all(p.incidence_split, p.incidences.size());
}

bool like_blocks(const BlockPattern& p) {
  const auto all = [](const std::vector<int>& sizes, int size) {
    return std::all_of(sizes.begin(), sizes.end(), [&](int s) { return s == size; });
  };
  const auto none = [](const std::vector<std::uint8_t>& flags) {
    return std::all_of(flags.begin(), flags.end(), [](std::uint8_t f) { return f == 0; });
  };
  return none(p.norm_row) && p.dual_count() > 0 && all(p.primal_size, body_size) &&
         all(p.dual_size, p.dual_size.front()) &&
         (p.couplings.empty() ? has_chain_kernels(p.dual_size.front(), all_split(p))
                              : has_coupled_chain_kernels(p.dual_size.front(), all_split(p)));
}

class Finder {
 public:
  explicit Finder(const BlockPattern& pattern) : p_(pattern) {}

  std::optional<Path> find() {
    if (!like_blocks(p_) || !join()) return {};
    const int begin = end_of_chain();
    if (begin < 0) return {};
    std::optional<Path> path = walk(begin);
    if (!path) return {};
    if (path->is_short()) {
      const bool both_ends_held = path->before.front() >= 0 && path->after >= 0;
      const bool too_few = !p_.couplings.empty() && static_cast<int>(path->body.size()) < fewest_coupled;
      if (both_ends_held || too_few) return {};
      path->begin_at_ground();
    }
    if (!couple(*path)) return {};
    return path;
  }
  const Link& link(int dual) const { return links_[index(dual)]; }

 private:
  int body(int incidence) const { return p_.incidences[index(incidence)].primal; }
  int other_body(const Link& link, int than) const {
    const int first = body(link.incidence[0]);
    return first == than ? body(link.incidence[1]) : first;
  }

  // The rows at each body and the bodies of each row; false: no chain.
  bool join() {
    links_.assign(index(p_.dual_count()), {});
    at_.assign(index(p_.primal_count()), {-1, -1});
    for (std::size_t k = 0; k < p_.incidences.size(); ++k) {
      const auto [dual, primal] = p_.incidences[k];
      Link& link = links_[index(dual)];
      if (link.count == 2) return false;
      link.dual = dual;
      link.incidence[link.count++] = static_cast<int>(k);
      std::array<int, 2>& duals = at_[index(primal)];
      if (duals[1] >= 0) return false;
      (duals[0] < 0 ? duals[0] : duals[1]) = dual;
    }
    return std::all_of(links_.begin(), links_.end(), [](const Link& l) { return l.count > 0; });
  }

  // The first body that is tied to one other body, or the only one; -1: there is none, or one of several is alone.
  int end_of_chain() const {
    if (p_.primal_count() == 1) return 0;
    for (int b = 0; b < p_.primal_count(); ++b) {
      int ties = 0;
      for (const int dual : at_[index(b)]) ties += dual >= 0 && links_[index(dual)].count == 2 ? 1 : 0;
      if (ties < 2) return ties == 1 ? b : -1;
    }
    return -1;
  }

  std::optional<Path> walk(int begin) const {
    Path path;
    int from = -1;  // the rows that the walk came by
    for (const int dual : at_[index(begin)])
      if (dual >= 0 && links_[index(dual)].count == 1) from = dual;
    for (int b = begin;;) {
      path.body.push_back(b);
      path.before.push_back(from);
      const std::array<int, 2>& duals = at_[index(b)];
      const int next = duals[0] == from ? duals[1] : duals[0];
      if (next < 0) break;
      if (links_[index(next)].count == 1) {
        path.after = next;
        break;
      }
      b = other_body(links_[index(next)], b);
      from = next;
      if (path.body.size() > p_.primal_size.size()) return {};  // a ring
    }
    if (path.body.size() != p_.primal_size.size()) return {};
    return path;
  }

  // False: bodies are coupled that are no neighbours.
  bool couple(Path& path) const {
    std::vector<int> place(path.body.size());
    for (std::size_t k = 0; k < path.body.size(); ++k) place[index(path.body[k])] = static_cast<int>(k);
    path.coupling.assign(path.body.size(), -1);
    for (std::size_t c = 0; c < p_.couplings.size(); ++c) {
      const int i = place[index(p_.couplings[c].i)], j = place[index(p_.couplings[c].j)],
                number = static_cast<int>(c);
      if (j == i + 1)
        path.coupling[index(i)] = number;
      else if (i == j + 1)
        path.coupling[index(j)] = -2 - number;
      else
        return false;
    }
    return true;
  }

  const BlockPattern& p_;
  std::vector<Link> links_;             // by dual block
  std::vector<std::array<int, 2>> at_;  // dual blocks at a primal one
};

// Groups of eight segments. Up to 600 bodies one: each more costs the elimination of eight more rows between segments, which
// are done one after the other. Then two, so that two threads share the work, and more where a group's factor would be
// larger than a cache of 1 MB (430 bytes a body of ball joints with symmetry; without it 784, for which no other number of
// groups was tried).
int groups_for(int bodies) { return bodies < 600 ? 1 : bodies < 5000 ? 2 : std::min(bodies / 2500, 64); }
// Hinges: a straight segment is stiff against bending out of its plane, and what it leaves of the rows at its ends falls with
// the third power of its length. Of 64 bodies it leaves 1e-6; of 2000 less than what counts as a dependent row.
// The tail is a segment like the others, and is to be no longer.
int groups_for_hinges(int bodies) {
  constexpr int longest = 64, shortest = 40;
  const auto groups = [&](int places) { return std::max(groups_for(bodies), bodies / (8 * places)); };
  int best = groups(longest);
  for (int places = longest; places >= shortest && bodies % (8 * best) > places; --places)
    if (bodies % (8 * groups(places)) < bodies % (8 * best)) best = groups(places);
  return best;
}

// Multiplications and additions of the rows of one place or node in a factorisation and one solve.
double flops_of_rows(int rows, bool symmetric) {
  const double m = rows;
  const double factor = m * m * m / 3.0 + 2.0 * m * m * m +
                        4.0 * m * m * m;                   // factor, two triangular solves, what is left over
  return (symmetric ? 1.0 : 2.0) * factor + 10.0 * m * m;  // both sweeps
}

// Of one body, with the rows before it.
double flops_of_place(int rows, bool split, bool symmetric) {
  const double m = rows, c = split ? 3 : 6;
  const double factor = c * c * c / 3.0 + 2.0 * (m * c * c + m * c) + 4.0 * m * m * c;
  const double solve = 3.0 * c * c + c + 8.0 * m * c + (split ? 24.0 : 0.0);  // the mass of three axes
  return (symmetric ? 1.0 : 2.0) * factor + solve + flops_of_rows(rows, symmetric);
}

// The same where neighbours are coupled: p pivots, the rotations of the body and the rows before it, among p + q unknowns.
double flops_of_coupled_place(int rows) {
  const double p = 3.0 + rows, q = 2.0 * p;
  return p * p * p / 3.0 + q * p * p + q * (q + 1.0) * p + 4.0 * p * q + 2.0 * p * p;
}

double flops_of_place(const ChainPlan& plan) {
  return plan.coupled ? flops_of_coupled_place(plan.rows)
                      : flops_of_place(plan.rows, plan.split, plan.symmetric);
}
double flops_of_node(const ChainPlan& plan) {
  return flops_of_rows(plan.rows + (plan.coupled ? 3 : 0), plan.symmetric);
}

}  // namespace

std::optional<Chain> find_chain(const BlockPattern& pattern, const MatrixLayout& layout, bool symmetric,
                                int parts) {
  if (!symmetric && !pattern.couplings.empty()) return {};
  Finder finder(pattern);
  const std::optional<Path> path = finder.find();
  if (!path) return {};
  Chain chain;
  ChainPlan& plan = chain.shape;
  const int bodies = pattern.primal_count();
  plan.rows = pattern.dual_size.front();
  plan.split = all_split(pattern);
  plan.coupled = !pattern.couplings.empty();
  plan.symmetric = symmetric;
  plan.rooted = path->is_short() && path->before.front() >= 0 && !plan.coupled;
  if (!path->is_short()) {
    plan.groups = std::clamp(parts > 0       ? parts
                             : plan.rows > 3 ? groups_for_hinges(bodies)
                                             : groups_for(bodies),
                             1, bodies / 8);
    plan.places = bodies / (8 * plan.groups);
  }
  plan.tail = bodies - 8 * plan.groups * plan.places;
  plan.primal_dimension = pattern.primal_dimension;
  if (path->after >= 0) plan.last_rows = pattern.dual_offset[index(path->after)] - pattern.primal_dimension;
  chain.dual_behind = path->after;
  chain.flops = bodies * flops_of_place(plan);

  const auto C_of = [&](int dual, int body) -> std::int32_t {
    if (dual < 0) return -1;
    const Link& link = finder.link(dual);
    const int k = pattern.incidences[index(link.incidence[0])].primal == body ? 0 : 1;
    return static_cast<std::int32_t>(layout.incidence.offset[index(link.incidence[k])]);
  };
  const auto coupling_of = [&](int coupling) {
    if (coupling == -1) return coupling;
    const bool swapped = coupling < 0;
    const auto at =
        static_cast<std::int32_t>(layout.coupling.offset[index(swapped ? -2 - coupling : coupling)]);
    return swapped ? -2 - at : at;
  };
  const auto numbers = [&](int k) {  // of the k-th body of the chain
    const int body = path->body[index(k)], before = path->before[index(k)],
              after = k + 1 < bodies ? path->before[index(k + 1)] : path->after;
    return std::array<std::int32_t, chain_slots>{
        static_cast<std::int32_t>(layout.H.offset[index(body)]),
        C_of(before, body),
        C_of(after, body),
        before < 0 ? -1 : pattern.dual_offset[index(before)] - pattern.primal_dimension,
        pattern.primal_offset[index(body)],
        coupling_of(path->coupling[index(k)])};
  };
  chain.index.reserve(index(bodies * chain_slots));
  chain.dual_before.reserve(index(bodies));
  for (int g = 0; g < plan.groups; ++g)
    for (int t = 0; t < plan.places; ++t) {
      std::array<std::array<std::int32_t, chain_slots>, 8> lane{};
      for (int l = 0; l < 8; ++l) {
        const int k = (8 * g + l) * plan.places + t;
        lane[index(l)] = numbers(k);
        chain.dual_before.push_back(path->before[index(k)]);
      }
      for (std::size_t s = 0; s < chain_slots; ++s)
        for (const auto& one : lane) chain.index.push_back(one[s]);
    }
  for (int k = bodies - plan.tail; k < bodies; ++k) {
    for (const std::int32_t number : numbers(k)) chain.index.push_back(number);
    chain.dual_before.push_back(path->before[index(k)]);
  }
  return chain;
}

std::vector<std::vector<double>> Chain::chunk_cycles() const {
  const double place = flops_of_place(shape);
  std::vector<double> parts(detail::index(shape.groups), shape.places * place);  // eight in the time of one
  if (shape.tail > 0) parts.push_back(shape.tail * place);
  return {parts, {shape.nodes() * flops_of_node(shape)}};
}

}  // namespace catena::detail::ldl
