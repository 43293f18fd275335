// A number that records what is done with it: the shipped code, run once with symbols for q, v, ..., leaves its
// expression graph. The robot's constants are numbers known off-line: arithmetic among them is done while recording,
// zeros and ones fold, and an expression that was met before, up to its sign, is not recorded again. Nothing is
// reassociated, so the graph computes what the code computes, bit by bit.
//
//   Graph graph;
//   const Symbol x = graph.input("x"), y = (x + 1) * x + 0 * x;
//   graph.evaluate({{y}}, {{2.0}});   // 6
#pragma once
#include <array>
#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "denoc/scalar/counted.hpp"

namespace denoc {

class Graph;

// A constant, or plus or minus a node of a graph, which must outlive it: a sign change is free.
class Symbol {
 public:
  struct Less;  // a < b: not known before the inputs are

  constexpr Symbol() : Symbol(0.0) {}
  constexpr Symbol(double constant) : constant_(constant) {}
  bool is_constant() const { return graph_ == nullptr; }
  double constant() const { return constant_; }  // if it is one
  static OperationCount& count();  // of this thread: every operation, those that fold too, as Counted has it

  friend Symbol operator+(Symbol a, Symbol b);
  friend Symbol operator-(Symbol a, Symbol b);
  friend Symbol operator*(Symbol a, Symbol b);
  friend Symbol operator/(Symbol a, Symbol b);
  friend Symbol operator-(Symbol a);
  Symbol& operator+=(Symbol b) { return *this = *this + b; }
  Symbol& operator-=(Symbol b) { return *this = *this - b; }
  friend void sincos(Symbol a, Symbol& s, Symbol& c);
  friend Symbol sqrt(Symbol a);
  friend Symbol atan2(Symbol y, Symbol x);
  friend Less operator<(Symbol a, Symbol b);
  friend Symbol select(const Less& mask, Symbol a, Symbol b);

 private:
  friend class Graph;
  Symbol(Graph& graph, int edge) : graph_(&graph), edge_(edge) {}

  Graph* graph_ = nullptr;  // none: a constant
  union {
    double constant_;
    int edge_;  // twice the node, plus one for its negative
  };
};
struct Symbol::Less {
  Symbol a, b;
};
template <> struct real_of<Symbol> { using type = double; };

// The operations in the order they were recorded: what a node needs stands before it.
class Graph {
 public:
  enum class Operation : unsigned char { input, constant, add, mul, div, sqrt, sine, cosine, atan2, select };
  struct Node {
    Operation operation;
    std::array<int, 4> operands;  // edges; of an input its number, of a constant its bits
    friend bool operator==(const Node&, const Node&) = default;
  };
  struct Named {
    std::string name;
    Symbol value;
  };

  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // A new variable; the name is what `print` writes.
  Symbol input(std::string name);
  size_t size() const { return nodes_.size(); }

  // What the results need: the papers' way to count. Dead ends, and whatever `given` already holds, cost nothing.
  // A sine and a cosine of the same angle count once, a selection costs nothing.
  OperationCount operations(std::span<const Symbol> results, std::span<const Symbol> given = {}) const;

  // The results at one value for each input, in the order the inputs were made.
  std::vector<double> evaluate(std::span<const Symbol> results, std::span<const double> inputs) const;

  // C, one statement per operation, then one assignment per result: `const double t7 = q0 * t3;`, `tau[0] = -t9;`.
  void print(std::ostream& out, std::span<const Named> results) const;

 private:
  friend Symbol operator+(Symbol a, Symbol b);
  friend Symbol operator*(Symbol a, Symbol b);
  friend Symbol operator/(Symbol a, Symbol b);
  friend void sincos(Symbol a, Symbol& s, Symbol& c);
  friend Symbol sqrt(Symbol a);
  friend Symbol atan2(Symbol y, Symbol x);
  friend Symbol select(const Symbol::Less& mask, Symbol a, Symbol b);

  struct Hash {
    size_t operator()(const Node& node) const;
  };
  // The graph of the symbols that have one. Throws std::logic_error if they have different ones.
  static Graph& of(std::initializer_list<Symbol> symbols);
  static bool same(Symbol a, Symbol b);
  int edge(Symbol a);  // of a constant: its absolute value is a node
  Symbol record(Operation operation, std::array<int, 4> operands);
  double constant_at(const Node& node) const;
  int operand_count(Operation operation) const;
  std::vector<char> needed(std::span<const Symbol> results, std::span<const Symbol> given) const;
  std::string text(int edge) const;

  std::vector<Node> nodes_;
  std::unordered_map<Node, int, Hash> known_;
  std::vector<std::string> names_;  // of the inputs
};

}  // namespace denoc
