/** Pages of chrome-devtools-mcp. It numbers them, and every call must name a number. */
import type { ActionOf } from './action.ts';
import { act, failed, locate, type Plan, type RenderContext } from './plan.ts';

interface ListedPage {
  id: number;
  /** Title and address. */
  line: string;
  isSelected: boolean;
}

/** "1: Form (http://…) [selected]" */
function pagesIn(text: string): ListedPage[] {
  const list = text.split(/^## Pages$/m)[1] ?? '';
  return [...list.matchAll(/^(\d+): (.*?)( \[selected\])?( isolatedContext=\S+)?$/gm)].map(
    ([, id, line = '', selected]) => ({
      id: Number(id),
      line,
      isSelected: selected !== undefined,
    }),
  );
}

/** The page that the actions go to. It is looked up once per episode. */
export function* pageId(context: RenderContext): Plan<number> {
  if (typeof context.tab === 'number') return context.tab;
  const { text } = yield* locate('list_pages', {});
  const pages = pagesIn(text);
  const page = pages.find(({ isSelected }) => isSelected) ?? pages[0];
  if (!page) throw failed('page_gone', 'The server lists no page.');
  context.tab = page.id;
  return page.id;
}

export function* renderTab({ operation, url, title }: ActionOf<'tab'>, context: RenderContext): Plan<void> {
  if (operation === 'list') {
    yield* act('list_pages', {});
    return;
  }
  if (operation === 'new') {
    const { text } = yield* act('new_page', { url: url ?? 'about:blank' });
    context.tab = pagesIn(text).find(({ isSelected }) => isSelected)?.id ?? context.tab;
    return;
  }
  const { text } = yield* locate('list_pages', {});
  const named = url !== undefined || title !== undefined;
  const page = pagesIn(text).findLast(({ id, line }) => {
    if (operation === 'close' && !named) return id === context.tab;
    return line.includes(url ?? '') && line.includes(title ?? '');
  });
  if (!page) throw failed('element_not_found', 'There is no such tab.');
  if (operation === 'close') {
    yield* act('close_page', { pageId: page.id });
    if (context.tab === page.id) context.tab = undefined;
    return;
  }
  yield* act('select_page', { pageId: page.id });
  context.tab = page.id;
}
