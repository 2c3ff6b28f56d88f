import { expect, test } from 'vitest';
import { html } from './html.ts';

test('escapes what is put in, in text and in attributes', () => {
  const hostile = `</p><script>alert("1")</script><img src=x onerror='x'>&amp;`;
  const { text } = html`<p title="${hostile}">${hostile}</p>`;
  expect(text).not.toMatch(/<script|<img|<\/p>.*<\/p>/);
  expect(text).toContain(
    '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&lt;img src=x onerror=&#39;x&#39;&gt;&amp;amp;',
  );
});

test('takes templates, lists and nothing as they are', () => {
  const item = (name: string) => html`<li>${name}</li>`;
  expect(html`<ul>${['a', '<b>'].map(item)}${undefined}${null}${false}${0}</ul>`.text).toBe(
    '<ul><li>a</li><li>&lt;b&gt;</li>0</ul>',
  );
});

test('shows characters that would turn the text around or break the document, and does not obey them', () => {
  expect(html`${'a\u0000b\u202ec\ud800d\ne'}`.text).toBe('a\ufffdb\ufffdc\ufffdd\ne');
});
