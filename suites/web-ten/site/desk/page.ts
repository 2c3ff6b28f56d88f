/** The frame of the service desk's pages, and what it remembers of one visitor. */
import { html } from '../../../../fixtures/routes/html.ts';
import type { Reply } from '../../../../fixtures/routes/route.ts';
import { type Brand, type Content, page } from '../layout.ts';
import type { Visit, VisitorState } from '../site.ts';
import type { Filter } from './data.ts';

export interface Export extends Filter {
  readonly columns: readonly string[];
  readonly format: string;
}

export interface DeskState extends VisitorState {
  /** By reference: what was asked for, and how often its page was looked at. */
  readonly exports: Map<string, { readonly wanted: Export; looks: number }>;
}

export type DeskVisit = Visit<DeskState>;

const BRAND: Brand = {
  name: 'Kestrel Service Desk',
  motto: 'Every ticket has an end',
  look: 'desk',
  links: [
    ['/', 'Tickets'],
    ['/exports', 'Exports'],
  ],
  search: { path: '/', label: 'Search tickets' },
  footer: 'For the people who repair things.',
};

export const deskPage = (visit: DeskVisit, content: Content): Reply => page(BRAND, visit, content);

export const notFoundPage = (visit: DeskVisit): Reply =>
  deskPage(visit, {
    title: 'Not found',
    status: 404,
    body: html`<h1>There is no such page</h1><p>Go to <a href="/">all tickets</a>.</p>`,
  });
