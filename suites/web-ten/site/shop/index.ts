/** Northlight Outfitters: a shop with filters, a basket and a checkout. */
import { defineSite, type Site } from '../site.ts';
import { basketRoutes } from './basket.ts';
import { catalogueRoutes } from './catalogue.ts';
import { checkoutRoutes } from './checkout.ts';
import { makeProducts } from './data.ts';
import { notFoundPage } from './page.ts';
import { productRoutes } from './product.ts';
import type { ShopState } from './state.ts';

export function shop(): Site {
  const products = makeProducts();
  return defineSite<ShopState>({
    host: 'shop.waymark.test',
    newState: () => ({ lines: [], orders: new Map(), sawNewsletter: false }),
    routes: {
      ...catalogueRoutes(products),
      ...productRoutes(products),
      ...basketRoutes(products),
      ...checkoutRoutes(products),
    },
    notFound: notFoundPage,
  });
}
