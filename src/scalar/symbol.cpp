#include "denoc/scalar/symbol.hpp"
#include "denoc/error.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <ostream>
#include <utility>

namespace denoc {

namespace {
constexpr int positive(int edge) { return edge & ~1; }
constexpr int sign(int edge) { return edge & 1; }
constexpr int node_of(int edge) { return edge >> 1; }
bool is(Symbol a, double x) { return a.is_constant() && a.constant() == x; }
}  // namespace

OperationCount& Symbol::count() {
  thread_local OperationCount so_far;
  return so_far;
}

Graph& Graph::of(std::initializer_list<Symbol> symbols) {
  Graph* graph = nullptr;
  for (const Symbol& s : symbols) {
    if (s.is_constant() || s.graph_ == graph) continue;
    if (graph != nullptr) throw ArgumentError("symbols of two graphs meet in one expression");
    graph = s.graph_;
  }
  return *graph;
}

bool Graph::same(Symbol a, Symbol b) { return !a.is_constant() && a.graph_ == b.graph_ && a.edge_ == b.edge_; }

size_t Graph::Hash::operator()(const Node& node) const {
  size_t h = size_t(node.operation);
  for (const int x : node.operands) h = (h ^ size_t(unsigned(x))) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
  return h;
}

Symbol Graph::record(Operation operation, std::array<int, 4> operands) {
  const Node node{operation, operands};
  const auto [known, is_new] = known_.try_emplace(node, int(nodes_.size()));
  if (is_new) nodes_.push_back(node);
  return {*this, 2 * known->second};
}

Symbol Graph::input(std::string name) {
  names_.push_back(std::move(name));
  return record(Operation::input, {int(names_.size()) - 1});
}

int Graph::edge(Symbol a) {
  if (!a.is_constant()) return a.edge_;
  const double size = std::abs(a.constant());
  std::array<int, 4> bits{};
  static_assert(sizeof size <= sizeof bits);
  std::memcpy(bits.data(), &size, sizeof size);
  return record(Operation::constant, bits).edge_ ^ int(std::signbit(a.constant()));
}

double Graph::constant_at(const Node& node) const {
  double x;
  std::memcpy(&x, node.operands.data(), sizeof x);
  return x;
}

// a - b and b - a are one node: the operand recorded first is positive.
Symbol operator+(Symbol a, Symbol b) {
  ++Symbol::count().add;
  if (a.is_constant() && b.is_constant()) return a.constant() + b.constant();
  if (is(a, 0)) return b;
  if (is(b, 0)) return a;
  if (Graph::same(a, -b)) return 0;
  Graph& graph = Graph::of({a, b});
  int x = graph.edge(a), y = graph.edge(b);
  if (x > y) std::swap(x, y);
  const int minus = sign(x);
  const Symbol sum = graph.record(Graph::Operation::add, {x ^ minus, y ^ minus});
  return minus == 0 ? sum : -sum;
}

Symbol operator-(Symbol a) {
  if (a.is_constant()) return -a.constant();
  a.edge_ ^= 1;
  return a;
}
Symbol operator-(Symbol a, Symbol b) { return a + -b; }

Symbol operator*(Symbol a, Symbol b) {
  ++Symbol::count().mul;
  if (a.is_constant() && b.is_constant()) return a.constant() * b.constant();
  if (is(a, 0) || is(b, 0)) return 0;
  if (is(a, 1)) return b;
  if (is(b, 1)) return a;
  if (is(a, -1)) return -b;
  if (is(b, -1)) return -a;
  Graph& graph = Graph::of({a, b});
  int x = graph.edge(a), y = graph.edge(b);
  const int minus = sign(x) ^ sign(y);
  x = positive(x), y = positive(y);
  if (x > y) std::swap(x, y);
  const Symbol product = graph.record(Graph::Operation::mul, {x, y});
  return minus == 0 ? product : -product;
}

Symbol operator/(Symbol a, Symbol b) {
  ++Symbol::count().div;
  if (a.is_constant() && b.is_constant()) return a.constant() / b.constant();
  if (is(a, 0)) return 0;
  if (is(b, 1)) return a;
  if (is(b, -1)) return -a;
  if (Graph::same(a, b)) return 1;
  if (Graph::same(a, -b)) return -1;
  Graph& graph = Graph::of({a, b});
  const int x = graph.edge(a), y = graph.edge(b);
  const Symbol quotient = graph.record(Graph::Operation::div, {positive(x), positive(y)});
  return sign(x) == sign(y) ? quotient : -quotient;
}

void sincos(Symbol a, Symbol& s, Symbol& c) {
  ++Symbol::count().sincos;
  if (a.is_constant()) {
    double sine, cosine;
    sincos(a.constant(), sine, cosine);
    s = sine, c = cosine;
    return;
  }
  Graph& graph = *a.graph_;
  const int x = a.edge_;
  s = graph.record(Graph::Operation::sine, {positive(x)});
  c = graph.record(Graph::Operation::cosine, {positive(x)});
  if (sign(x) != 0) s = -s;
}

Symbol sqrt(Symbol a) {
  ++Symbol::count().sqrt;
  if (a.is_constant()) return std::sqrt(a.constant());
  return a.graph_->record(Graph::Operation::sqrt, {a.edge_});
}

Symbol atan2(Symbol y, Symbol x) {
  ++Symbol::count().sincos;
  if (y.is_constant() && x.is_constant()) return std::atan2(y.constant(), x.constant());
  Graph& graph = Graph::of({y, x});
  const int first = graph.edge(y), second = graph.edge(x);
  return graph.record(Graph::Operation::atan2, {first, second});
}

Symbol::Less operator<(Symbol a, Symbol b) { return {a, b}; }

Symbol select(const Symbol::Less& mask, Symbol a, Symbol b) {
  if (mask.a.is_constant() && mask.b.is_constant()) return mask.a.constant() < mask.b.constant() ? a : b;
  if (Graph::same(a, b)) return a;
  Graph& graph = Graph::of({mask.a, mask.b, a, b});
  const int less = graph.edge(mask.a), than = graph.edge(mask.b), yes = graph.edge(a), no = graph.edge(b);
  return graph.record(Graph::Operation::select, {less, than, yes, no});
}

int Graph::operand_count(Operation operation) const {
  switch (operation) {
    case Operation::input:
    case Operation::constant:
      return 0;
    case Operation::sqrt:
    case Operation::sine:
    case Operation::cosine:
      return 1;
    case Operation::add:
    case Operation::mul:
    case Operation::div:
    case Operation::atan2:
      return 2;
    case Operation::select:
      return 4;
  }
  return 0;
}

std::vector<char> Graph::needed(std::span<const Symbol> results, std::span<const Symbol> given) const {
  std::vector<char> needed(nodes_.size()), stop(nodes_.size());
  const auto mark = [this](std::vector<char>& in, std::span<const Symbol> symbols) {
    for (const Symbol& s : symbols) {
      if (s.is_constant()) continue;
      if (s.graph_ != this) throw ArgumentError("a symbol of another graph");
      in[node_of(s.edge_)] = true;
    }
  };
  mark(needed, results);
  mark(stop, given);
  for (size_t i = nodes_.size(); i-- > 0;) {
    if (stop[i]) needed[i] = false;
    if (!needed[i]) continue;
    for (int k = 0; k < operand_count(nodes_[i].operation); ++k) needed[node_of(nodes_[i].operands[k])] = true;
  }
  return needed;
}

OperationCount Graph::operations(std::span<const Symbol> results, std::span<const Symbol> given) const {
  const std::vector<char> used = needed(results, given);
  OperationCount count;
  std::vector<char> turned(nodes_.size());  // angles whose sine or cosine is counted
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (!used[i]) continue;
    const Node& node = nodes_[i];
    switch (node.operation) {
      case Operation::add:
        ++count.add;
        break;
      case Operation::mul:
        ++count.mul;
        break;
      case Operation::div:
        ++count.div;
        break;
      case Operation::sqrt:
        ++count.sqrt;
        break;
      case Operation::atan2:
        ++count.sincos;
        break;
      case Operation::sine:
      case Operation::cosine:
        if (!std::exchange(turned[node_of(node.operands[0])], true)) ++count.sincos;
        break;
      case Operation::input:
      case Operation::constant:
      case Operation::select:
        break;
    }
  }
  return count;
}

std::vector<double> Graph::evaluate(std::span<const Symbol> results, std::span<const double> inputs) const {
  if (inputs.size() != names_.size())
    throw ArgumentError("the graph has " + std::to_string(names_.size()) + " inputs, " + std::to_string(inputs.size()) +
                        " values are given");
  std::vector<double> x(nodes_.size());
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    const auto operand = [&](int k) {
      const int edge = node.operands[k];
      return sign(edge) == 0 ? x[node_of(edge)] : -x[node_of(edge)];
    };
    double s, c;
    switch (node.operation) {
      case Operation::input:
        x[i] = inputs[node.operands[0]];
        break;
      case Operation::constant:
        x[i] = constant_at(node);
        break;
      case Operation::add:
        x[i] = operand(0) + operand(1);
        break;
      case Operation::mul:
        x[i] = operand(0) * operand(1);
        break;
      case Operation::div:
        x[i] = operand(0) / operand(1);
        break;
      case Operation::sqrt:
        x[i] = std::sqrt(operand(0));
        break;
      case Operation::sine:
      case Operation::cosine:
        sincos(operand(0), s, c);
        x[i] = node.operation == Operation::sine ? s : c;
        break;
      case Operation::atan2:
        x[i] = std::atan2(operand(0), operand(1));
        break;
      case Operation::select:
        x[i] = operand(0) < operand(1) ? operand(2) : operand(3);
        break;
    }
  }
  std::vector<double> values;
  for (const Symbol& s : results) {
    if (s.is_constant()) {
      values.push_back(s.constant());
    } else {
      const double size = x[node_of(s.edge_)];
      values.push_back(sign(s.edge_) == 0 ? size : -size);
    }
  }
  return values;
}

namespace {
std::string number(double x) {
  if (!std::isfinite(x)) return std::isnan(x) ? "NAN" : x > 0 ? "INFINITY" : "-INFINITY";
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  // C reads 3 as an integer
  return std::strpbrk(text, ".e") == nullptr ? std::string(text) + ".0" : text;
}
}  // namespace

std::string Graph::text(int edge) const {
  const Node& node = nodes_[node_of(edge)];
  const std::string minus = sign(edge) == 0 ? "" : "-";
  if (node.operation == Operation::input) return minus + names_[node.operands[0]];
  if (node.operation == Operation::constant) return minus + number(constant_at(node));
  return minus + "t" + std::to_string(node_of(edge));
}

void Graph::print(std::ostream& out, std::span<const Named> results) const {
  std::vector<Symbol> values;
  for (const Named& r : results) values.push_back(r.value);
  const std::vector<char> used = needed(values, {});
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const auto& [operation, operands] = nodes_[i];
    if (!used[i] || operand_count(operation) == 0) continue;
    out << "const double " << text(2 * int(i)) << " = ";
    const std::string a = text(operands[0]), b = operand_count(operation) > 1 ? text(operands[1]) : "";
    switch (operation) {
      case Operation::add:
        out << a << (sign(operands[1]) == 0 ? " + " : " - ") << text(positive(operands[1]));
        break;
      case Operation::mul:
        out << a << " * " << b;
        break;
      case Operation::div:
        out << a << " / " << b;
        break;
      case Operation::sqrt:
        out << "sqrt(" << a << ")";
        break;
      case Operation::sine:
        out << "sin(" << a << ")";
        break;
      case Operation::cosine:
        out << "cos(" << a << ")";
        break;
      case Operation::atan2:
        out << "atan2(" << a << ", " << b << ")";
        break;
      case Operation::select:
        out << a << " < " << b << " ? " << text(operands[2]) << " : " << text(operands[3]);
        break;
      case Operation::input:
      case Operation::constant:
        break;
    }
    out << ";\n";
  }
  for (const auto& [name, value] : results)
    out << name << " = " << (value.is_constant() ? number(value.constant()) : text(value.edge_)) << ";\n";
}

}  // namespace denoc
