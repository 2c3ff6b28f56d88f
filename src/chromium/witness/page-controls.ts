/** The controls of a page, by the role and the name that the browser's accessibility tree gives them: every tool server can find them by these. */
import type { RequestOptions } from '../cdp/request.ts';
import type { Session } from '../cdp/session.ts';

export interface PageControl {
  role: string;
  name: string;
}

const ROLES: ReadonlySet<string> = new Set(
  'button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option'.split(' '),
);
const MAX_CONTROLS = 200;

/** In the order of the page, each role and name once, without what is disabled. */
export async function readControls(session: Session, options: RequestOptions): Promise<PageControl[]> {
  const { nodes } = await session.send('Accessibility.getFullAXTree', {}, options);
  const found = new Map<string, PageControl>();
  for (const { ignored, role, name, properties = [] } of nodes) {
    const control = { role: String(role?.value ?? ''), name: String(name?.value ?? '').trim() };
    const isDisabled = properties.some((property) => property.name === 'disabled' && property.value.value === true);
    if (ignored || isDisabled || !ROLES.has(control.role) || control.name === '') continue;
    found.set(`${control.role} ${control.name}`, control);
    if (found.size >= MAX_CONTROLS) break;
  }
  return [...found.values()];
}
