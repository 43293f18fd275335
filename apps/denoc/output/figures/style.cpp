#include "output/figures/style.hpp"

namespace denoc::figures {

// Figures keep their white ground in the dark; the canvas takes its colours from the variables.
std::string_view page_style() {
  return R"css(
:root { color-scheme: light dark; --paper: #f6f7f8; --card: #fff; --ink: #1c2127; --soft: #66707a; --line: #dde1e5;
  --pale: #e9ecef; --accent: #c85800; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14171a; --card: #1d2125; --ink: #e6e9ec; --soft: #9aa4ae; --line: #343a40; --pale: #2b3035;
    --accent: #f08c3a; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.5;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Helvetica, Arial, "Liberation Sans", sans-serif; }
main, footer { max-width: 1240px; margin: 0 auto; padding: 0 24px; }
header { padding: 36px 0 12px; }
h1 { margin: 0; font-size: 1.9rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { margin: 40px 0 14px; font-size: 1.15rem; font-weight: 650; }
.lead { margin: 6px 0 0; color: var(--soft); }
.warning { border-left: 4px solid var(--accent); padding: 8px 14px; background: var(--card); }
dl.key { display: grid; grid-template-columns: repeat(auto-fill, minmax(205px, 1fr)); gap: 1px; margin: 20px 0;
  background: var(--card); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
dl.key div { padding: 12px 16px; box-shadow: 0 0 0 1px var(--line); }
dl.key dt { color: var(--soft); font-size: 0.8rem; }
dl.key dd { margin: 2px 0 0; font-size: 1.15rem; font-variant-numeric: tabular-nums; }
dl.key small { display: block; color: var(--soft); font-size: 0.78rem; }
.figures { columns: 2 480px; column-gap: 20px; }
.figures figure { margin-bottom: 20px; }
figure { margin: 0; background: #fff; color: #333; border: 1px solid var(--line); border-radius: 8px; padding: 10px;
  break-inside: avoid; }
figure svg { display: block; width: 100%; height: auto; }
figure.wide svg { max-width: 860px; margin: 0 auto; }
figcaption { padding: 6px 10px 4px; font-size: 0.85rem; color: #555; }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 16px; text-align: right; white-space: nowrap; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--soft); font-weight: 600; }
th:first-child, td:first-child { text-align: left; }
td.text, th.text { text-align: left; }
tbody th { font-weight: 500; }
pre { margin: 0; padding: 14px 18px; font: 0.85rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
details > summary { cursor: pointer; color: var(--soft); margin-bottom: 10px; }
.player { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 10px; margin-bottom: 20px; }
canvas { display: block; width: 100%; height: min(62vh, 560px); touch-action: none; cursor: grab; outline-offset: -2px; }
.controls { display: flex; flex-wrap: wrap; align-items: center; gap: 12px; padding: 8px 6px 0; }
.controls input { flex: 1 1 200px; accent-color: var(--accent); }
.controls output { min-width: 6em; text-align: right; font-variant-numeric: tabular-nums; }
.controls button, .controls select { font: inherit; color: inherit; background: var(--paper); padding: 4px 12px;
  border: 1px solid var(--line); border-radius: 6px; }
#play { min-width: 3.2em; }
.hint { margin: 6px 6px 2px; font-size: 0.8rem; color: var(--soft); }
footer { padding: 36px 24px; color: var(--soft); font-size: 0.85rem; }
@media print {
  :root { --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #ccc; }
  body { font-size: 10.5pt; }
  main, footer { max-width: none; padding: 0; }
  .player, svg .cursor { display: none; }
  .figures { columns: 1; }
  pre { white-space: pre-wrap; }
}
)css";
}

}  // namespace denoc::figures
