/** The panel's own style. `all: initial` keeps the site's inherited fonts and colours out. */
export const STYLE = `
:host { all: initial; position: fixed; right: 16px; top: 64px; z-index: 2147483647; display: block; width: min(340px, calc(100vw - 32px)); color-scheme: light dark; }
* { box-sizing: border-box; font: 14px/1.45 system-ui, sans-serif; }
section { display: flex; flex-direction: column; max-height: calc(100vh - 80px); color: light-dark(#1a2430, #e8edf2); background: light-dark(#fff, #1b222b); border: 1px solid light-dark(#b8c2cc, #465260); border-radius: 10px; box-shadow: 0 6px 24px #0005; overflow: hidden; }
header { display: flex; align-items: center; justify-content: space-between; gap: 8px; padding: 8px 8px 8px 14px; background: light-dark(#eef2f5, #252e39); cursor: move; touch-action: none; user-select: none; }
h2 { margin: 0; font-weight: 600; }
.body { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; padding: 12px 14px 14px; overflow: auto; }
p { margin: 0; overflow-wrap: anywhere; }
.count { display: flex; justify-content: space-between; font-variant-numeric: tabular-nums; }
.error:not(:empty) { color: light-dark(#a3231b, #ff9c92); }
progress { width: 100%; height: 8px; accent-color: #0f6fa8; }
.row { display: flex; flex-wrap: wrap; gap: 6px; }
button { color: inherit; background: light-dark(#fff, #303b48); border: 1px solid light-dark(#8d99a5, #5d6b7a); border-radius: 6px; padding: 5px 10px; cursor: pointer; }
button:hover { background: light-dark(#e6edf2, #3b4856); }
button.move { padding: 1px 8px; }
:focus-visible { outline: 3px solid #3b9bd6; outline-offset: 1px; }
textarea { width: 100%; height: 140px; color: inherit; background: light-dark(#fff, #12171d); font-family: monospace; font-size: 12px; }
input { max-width: 100%; color: inherit; }
[hidden] { display: none !important; }
`;
