/** The demo's HTML page: what the witness saw, with pictures. */

export interface DemoCard {
  path: string;
  clean: boolean;
  title: string;
  elements: number;
  actionables: number;
  frames: number;
  requests: number;
  dom: string;
  picture: string;
}

export interface DemoStep {
  tool: string;
  args: string;
  isError: boolean;
  url: string;
  changed: readonly string[];
  requests: number;
  picture: string;
}

export function demoPage(demo: { browser: string; cards: DemoCard[]; steps: DemoStep[] }): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Waymark: what the witness saw</title>
<style>
  :root { color-scheme: light dark; --line: light-dark(#d8dde3, #39414a); --soft: light-dark(#5b6672, #9aa7b4); --go: light-dark(#11734b, #57c794); --stop: light-dark(#b3261e, #f2867f); }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
  h1 { margin-bottom: 0; } .soft { color: var(--soft); }
  .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: 1rem; padding: 0; list-style: none; }
  .cards li, .steps li { border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
  img { display: block; width: 100%; border-bottom: 1px solid var(--line); background: #fff; }
  .text { padding: .6rem .8rem; } h3 { margin: 0; font-size: 1rem; } p { margin: .2rem 0; }
  code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
  .steps { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; padding: 0; list-style: none; counter-reset: step; }
  .steps h3::before { counter-increment: step; content: counter(step) ". "; color: var(--soft); }
  .go { color: var(--go); } .stop { color: var(--stop); }
</style>
<h1>What the witness saw</h1>
<p class="soft">${escapeHtml(demo.browser)}, owned by the harness. Each page below had a browser context of its own, proven clean before use.</p>
<h2>Fixture pages, in parallel slots</h2>
<ul class="cards">${demo.cards.map(card).join('')}</ul>
<h2>A foreign server drives, the harness watches</h2>
<p class="soft">@playwright/mcp was given an address that leads into one context only. After each of its calls, the harness looked at the page through its own connection.</p>
<ol class="steps">${demo.steps.map(step).join('')}</ol>
</html>
`;
}

function card(card: DemoCard): string {
  return `<li><img alt="Screenshot of ${escapeHtml(card.title)}" src="${card.picture}"><div class="text"><h3>${escapeHtml(card.title)}</h3>
<p><code>${escapeHtml(card.path)}</code> <span class="${card.clean ? 'go">clean slot' : 'stop">dirty slot'}</span></p>
<p class="soft">${card.elements} elements, ${card.actionables} to act on, ${card.frames} frames, ${card.requests} requests. DOM <code>${escapeHtml(card.dom)}</code></p></div></li>`;
}

function step(step: DemoStep): string {
  const outcome = step.isError ? '<span class="stop">error</span>' : '<span class="go">ok</span>';
  const changed = step.changed.length ? `changed: ${step.changed.join(', ')}` : 'nothing changed';
  return `<li><img alt="Screenshot after ${escapeHtml(step.tool)}" src="${step.picture}"><div class="text"><h3>${escapeHtml(step.tool)}</h3>
<p><code>${escapeHtml(step.args)}</code></p><p>${outcome}, ${changed}</p><p class="soft">${escapeHtml(step.url)}, ${step.requests} requests so far</p></div></li>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
