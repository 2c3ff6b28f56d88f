/** What the shop remembers of one visitor. */
import { reference } from '../reference.ts';
import type { Handler, Visit, VisitorState } from '../site.ts';
import type { Line } from './data.ts';

export interface Order {
  readonly lines: readonly Line[];
  readonly name: string;
  readonly street: string;
  readonly town: string;
  readonly delivery: string;
  readonly voucher: string;
  readonly isGift: boolean;
}

export interface ShopState extends VisitorState {
  lines: Line[];
  voucher?: string;
  readonly orders: Map<string, Order>;
  /** The invitation to the newsletter is shown once. */
  sawNewsletter: boolean;
}

export type ShopVisit = Visit<ShopState>;
export type ShopHandler = Handler<ShopState>;

const sorted = (lines: readonly Line[]): string[][] =>
  lines.map(({ product, colour, size, quantity }) => [product, colour, size, String(quantity)]).sort();

/** Names what is in the basket; the order in which it was put there does not matter. */
export function basketReference(lines: readonly Line[]): string {
  return reference('basket', sorted(lines));
}

export function orderReference({ lines, ...rest }: Order): string {
  return reference('order', { ...rest, lines: sorted(lines) });
}
