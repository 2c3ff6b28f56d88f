/** The data of all sites, as a seed gives them. */
import { type CalendarData, makeCalendar } from './calendar/data.ts';
import { type DeskData, makeDesk } from './desk/data.ts';
import { type MailData, makeMail } from './mail/data.ts';
import { makeShop, type ShopData } from './shop/data.ts';
import { makeTracker, type TrackerData } from './tracker/data.ts';
import { makeWiki, type WikiData } from './wiki/data.ts';

export interface World {
  readonly calendar: CalendarData;
  readonly desk: DeskData;
  readonly mail: MailData;
  readonly shop: ShopData;
  readonly tracker: TrackerData;
  readonly wiki: WikiData;
}

export function makeWorld(seed: number): World {
  return {
    calendar: makeCalendar(seed),
    desk: makeDesk(seed),
    mail: makeMail(seed),
    shop: makeShop(seed),
    tracker: makeTracker(seed),
    wiki: makeWiki(seed),
  };
}
