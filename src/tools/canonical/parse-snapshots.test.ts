import { describe, expect, test } from 'vitest';
import { parseDevtoolsSnapshot } from './parse-devtools-snapshot.ts';
import { parsePlaywrightSnapshot } from './parse-playwright-snapshot.ts';
import { type SnapshotNode, walk } from './snapshot.ts';

const flat = (nodes: SnapshotNode[]) =>
  [...walk(nodes)].map(({ ref, role, name, text, parent }) => [ref, role, name, text, parent?.ref]);

describe('a snapshot of @playwright/mcp', () => {
  test('is a tree of roles, names, refs and texts', () => {
    const result = `### Page
- Page URL: http://a.test/
### Snapshot
\`\`\`yaml
- generic [active] [ref=e1]:
  - link "Home" [ref=e3] [cursor=pointer]:
    - /url: /
  - heading "Sign up" [level=1] [ref=e5]
  - combobox "Plan" [ref=e16]:
    - option "Basic" [selected]
  - text: I accept
  - iframe [ref=f1e8]:
    - button "Send" [ref=f2e7]
\`\`\`
- button "Not in the snapshot" [ref=e99]`;
    expect(flat(parsePlaywrightSnapshot(result))).toEqual([
      ['e1', 'generic', '', '', undefined],
      ['e3', 'link', 'Home', '', 'e1'],
      ['e5', 'heading', 'Sign up', '', 'e1'],
      ['e16', 'combobox', 'Plan', '', 'e1'],
      [undefined, 'option', 'Basic', '', 'e16'],
      [undefined, 'text', 'I accept', '', 'e1'],
      ['f1e8', 'iframe', '', '', 'e1'],
      ['f2e7', 'button', 'Send', '', 'f1e8'],
    ]);
  });

  test.each([
    ['- button "Say \\"hi\\" [now]" [ref=e2]', 'button', 'Say "hi" [now]', ''],
    ['- \'link "a: b" [ref=e2]\': text', 'link', 'a: b', 'text'],
    ["- 'button \"it''s: 5\" [ref=e2]'", 'button', "it's: 5", ''],
    ['- paragraph [ref=e2]: "Last chord: none"', 'paragraph', '', 'Last chord: none'],
    ['- paragraph [ref=e2]: "tab\\there \\x07 \\\\"', 'paragraph', '', 'tab\there \x07 \\'],
    ['- link "http://a.test/x" [ref=e2]', 'link', 'http://a.test/x', ''],
    ['- status [ref=e2]: Value 12:30', 'status', '', 'Value 12:30'],
    ['- textbox "Näme ✓" [active] [ref=e2]: väl', 'textbox', 'Näme ✓', 'väl'],
  ])('%s', (line, role, name, text) => {
    expect(flat(parsePlaywrightSnapshot(line))).toEqual([['e2', role, name, text, undefined]]);
  });

  test('of nothing is nothing', () => {
    expect(parsePlaywrightSnapshot('')).toEqual([]);
    expect(parsePlaywrightSnapshot('### Error\nno page')).toEqual([]);
  });
});

describe('a snapshot of chrome-devtools-mcp', () => {
  test('is a tree of roles, names and uids', () => {
    const result = `## Latest page snapshot
uid=1_0 RootWebArea "Form" url="http://a.test/form"
  uid=1_6 "Every field is needed."
  uid=1_7 form
    uid=1_9 textbox "Name" description="Enter your name." required
  uid=1_13 combobox "Plan" expandable haspopup="menu" value="Choose…"
    uid=1_14 option "Choose…" selected
  uid=1_20 status atomic live="polite" relevant="additions text"
    uid=1_21 InlineTextBox "piece"
`;
    expect(flat(parseDevtoolsSnapshot(result))).toEqual([
      ['1_0', 'RootWebArea', 'Form', '', undefined],
      ['1_6', 'text', 'Every field is needed.', '', '1_0'],
      ['1_7', 'form', '', '', '1_0'],
      ['1_9', 'textbox', 'Name', '', '1_7'],
      ['1_13', 'combobox', 'Plan', '', '1_0'],
      ['1_14', 'option', 'Choose…', '', '1_13'],
      ['1_20', 'status', '', '', '1_0'],
    ]);
  });

  test.each([
    ['uid=1_2 button "Say "hi" now" focusable', 'button', 'Say "hi" now'],
    ['uid=1_2 button "two\nlines"', 'button', 'two\nlines'],
    ['uid=1_2 button "x" [selected in the DevTools Elements panel]', 'button', 'x'],
    ['uid=1_2 "words with value="5" inside them."', 'text', 'words with value="5" inside them.'],
    ['uid=1_2 ignored', 'ignored', ''],
  ])('%s', (line, role, name) => {
    expect(flat(parseDevtoolsSnapshot(line))).toEqual([['1_2', role, name, '', undefined]]);
  });

  test('is read in time that grows with its length', () => {
    const hostile = `uid=1_2 button "${'a" b="c '.repeat(3_000)}`;
    const before = process.cpuUsage();
    parseDevtoolsSnapshot(hostile);
    parsePlaywrightSnapshot(`- button ${'"a\\" [b] '.repeat(3_000)}`);
    // A guard against the quadratic, by this process's own time.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2_000);
  });
});
