/** What colleagues ask for by mail, to be done on other sites. The messages and the tasks are both made from it. */
import { seeded, seedOf } from '../../shared/random.ts';
import { type People, peopleOf } from '../frame/people.ts';
import { clock, dayAfter, TODAY } from './calendar/data.ts';
import { makeDesk } from './desk/data.ts';
import { makeShop } from './shop/data.ts';
import { makeTracker } from './tracker/data.ts';
import { makeWiki, revisionsOf } from './wiki/data.ts';

export function errandsOf(seed: number) {
  const random = seeded(seedOf('errands', seed));
  const { others }: People = peopleOf(seed);
  const { issues, projects } = makeTracker(seed);
  const low = random.shuffle(Object.keys(issues).filter((id) => issues[id]?.priority === 'Low'));
  const [urgent = '', taken = ''] = low;
  const members = projects[issues[taken]?.project ?? '']?.members ?? [];
  const products = Object.values(makeShop(seed).products).filter(({ stock }) => stock >= 5);
  const customers = Object.entries(makeDesk(seed).customers);
  const towns = Object.entries(makeWiki(seed).articles).filter(
    ([, one]) => one.kind === 'town' && !one.isProtected && revisionsOf(one).length === 2,
  );
  const hour = random.int(9, 14) * 60;
  const [customer, { name: customerName }] = random.pick(customers);
  const [town, { title: townName }] = random.pick(towns);
  const senders = random.shuffle(others);
  const from = (index: number) => senders[index] ?? others[0] ?? { id: '', name: '', email: '' };
  return {
    urgent: { from: from(0), issue: urgent },
    assign: {
      from: from(1),
      issue: taken,
      member: random.pick(members.filter((name) => name !== issues[taken]?.assignee)),
    },
    meeting: {
      from: from(2),
      title: 'Handover',
      day: dayAfter(TODAY, 6 + 7 * random.int(0, 2)),
      start: clock(hour),
      end: clock(hour + 90),
    },
    kitchen: { from: from(3), product: random.pick(products), count: random.int(2, 4) },
    customer: { from: from(4), id: customer, name: customerName, note: `Asked for a refund of €${random.int(20, 90)}` },
    mayor: {
      from: from(5),
      slug: town,
      town: townName,
      mayor: `Tilda ${random.pick(['Reh', 'Fuchs', 'Dachs', 'Wolf'])}`,
    },
  } as const;
}

/** Subject and text of each message. */
export function errandTexts({ urgent, assign, meeting, kitchen, customer, mayor }: ReturnType<typeof errandsOf>) {
  const wrapped = (text: string, name: string): string => `Hello,\n\n${text}\n\nThank you, ${name}`;
  return {
    urgent: [
      'Something urgent',
      wrapped(`a customer is waiting for ${urgent.issue}. Please set its priority in Cairn to High.`, urgent.from.name),
    ],
    assign: [
      'Who takes this one?',
      wrapped(`please assign ${assign.issue} in Cairn to ${assign.member}.`, assign.from.name),
    ],
    meeting: [
      'A date for us',
      wrapped(
        `let us meet on ${meeting.day} from ${meeting.start} to ${meeting.end}. Please enter it as “${meeting.title}”, without a room.`,
        meeting.from.name,
      ),
    ],
    kitchen: [
      'For the kitchen',
      wrapped(
        `we need ${kitchen.count} pieces of the ${kitchen.product.name}. Please put them into the cart at Fernhill Supply; I will order later.`,
        kitchen.from.name,
      ),
    ],
    customer: [
      'A customer called',
      wrapped(
        `${customer.name} called. Please write this note into the record in Ledgerline: ${customer.note}`,
        customer.from.name,
      ),
    ],
    mayor: [
      'The encyclopedia',
      wrapped(
        `${mayor.town} has a new mayor, ${mayor.mayor}. Please correct the article in Fieldnotes, with the summary “New mayor”.`,
        mayor.from.name,
      ),
    ],
  } as const satisfies Record<keyof ReturnType<typeof errandsOf>, readonly [string, string]>;
}
