/** Study rooms: what there is, and a form that checks what is entered. */
import { html } from '../../../../fixtures/routes/html.ts';
import { type Reply, seeOther } from '../../../../fixtures/routes/route.ts';
import { check, choice, textField } from '../../../shared/controls.ts';
import { reference } from '../reference.ts';
import type { Room } from './data.ts';
import { libraryPage, notFoundPage } from './page.ts';
import { type Booking, CARD, CARD_PROBLEM, type LibraryHandler, type LibraryVisit } from './state.ts';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const HOURS = ['09:00', '10:00', '11:00', '12:00', '13:00', '14:00', '15:00', '16:00', '17:00', '18:00'];
const EQUIPMENT = ['flip chart', 'loudspeaker', 'tea and water'];
const LONGEST_HOURS = 4;

export function roomRoutes(rooms: readonly Room[]): Record<string, LibraryHandler> {
  return {
    'GET /rooms': (visit) => listPage(visit, rooms),
    'GET /rooms/book': (visit) => formPage(visit, rooms, {}),
    'POST /rooms/book': (visit) => book(visit, rooms),
    'GET /rooms/bookings/:reference': (visit) => donePage(visit, rooms),
  };
}

function listPage(visit: LibraryVisit, rooms: readonly Room[]): Reply {
  return libraryPage(visit, {
    title: 'Study rooms',
    body: html`<h1>Study rooms</h1><p><a class="button primary" id="book" href="/rooms/book">Book a room</a></p><div class="scroll"><table><thead><tr><th>Branch</th><th>Room</th><th class="number">Seats</th><th>Screen</th><th class="number">Floor</th></tr></thead><tbody>${rooms.map(
      ({ branch, name, seats, hasScreen, floor }) =>
        html`<tr><td>${branch}</td><td>${name}</td><td class="number">${seats}</td><td>${hasScreen ? 'yes' : 'no'}</td><td class="number">${floor}</td></tr>`,
    )}</tbody></table></div>`,
  });
}

function formPage(visit: LibraryVisit, rooms: readonly Room[], problems: Readonly<Record<string, string>>): Reply {
  const value = (name: string): string => visit.form.get(name) ?? '';
  const options = rooms.map(({ id, branch, name }) => [id, `${branch}: ${name}`] as const);
  const count = Object.keys(problems).length;
  return libraryPage(visit, {
    title: 'Book a room',
    status: count === 0 ? 200 : 422,
    body: html`<h1>Book a study room</h1>${count === 0 ? '' : html`<p class="problem" role="alert">Nothing was booked yet: ${Object.values(problems).join(' ')}</p>`}
<form method="post" action="/rooms/book">
${choice({ id: 'room', label: 'Room', empty: 'Choose…' }, options, value('room'))}
<div class="row">${choice({ id: 'day', label: 'Day', empty: 'Choose…' }, DAYS, value('day'))}${choice({ id: 'from', label: 'From', empty: 'Choose…' }, HOURS, value('from'))}${choice({ id: 'until', label: 'Until', empty: 'Choose…' }, HOURS, value('until'))}</div>
${textField({ id: 'people', label: 'Number of people', problem: problems['people'] }, value('people'))}
${textField({ id: 'purpose', label: 'Purpose', hint: 'At least ten characters; the porter reads it.', problem: problems['purpose'] }, value('purpose'))}
${textField({ id: 'card', label: 'Library card', hint: CARD_PROBLEM, problem: problems['card'] }, value('card'))}
<fieldset><legend>Equipment</legend>${EQUIPMENT.map((name, index) => check('equipment', `equipment-${index + 1}`, name, visit.form.getAll('equipment').includes(name), name))}</fieldset>
${check('rules', 'rules', 'I have read the house rules', value('rules') === 'yes')}
<button class="primary" id="send">Book the room</button></form>`,
  });
}

function book(visit: LibraryVisit, rooms: readonly Room[]): Reply {
  const { form, state } = visit;
  const text = (name: string): string => (form.get(name) ?? '').trim().replace(/\s+/g, ' ');
  const room = rooms.find(({ id }) => id === text('room'));
  const people = Number(text('people'));
  const hours = HOURS.indexOf(text('until')) - HOURS.indexOf(text('from'));
  const problems = {
    ...(room ? {} : { room: 'Choose a room.' }),
    ...(DAYS.includes(text('day')) ? {} : { day: 'Choose a day.' }),
    ...(HOURS.includes(text('from')) && hours >= 1 && hours <= LONGEST_HOURS
      ? {}
      : { until: `Choose one to ${LONGEST_HOURS} hours.` }),
    ...(Number.isInteger(people) && people >= 1 && people <= (room?.seats ?? 99)
      ? {}
      : { people: `Enter how many people come; the room has ${room?.seats ?? 'few'} seats.` }),
    ...(text('purpose').length >= 10 ? {} : { purpose: 'Say in ten characters or more what the room is for.' }),
    ...(CARD.test(text('card')) ? {} : { card: CARD_PROBLEM }),
    ...(form.get('rules') === 'yes' ? {} : { rules: 'Accept the house rules.' }),
  };
  if (!room || Object.keys(problems).length > 0) return formPage(visit, rooms, problems);
  const booking: Booking = {
    room: room.id,
    day: text('day'),
    from: text('from'),
    until: text('until'),
    people,
    purpose: text('purpose').toLowerCase(),
    card: text('card'),
    equipment: EQUIPMENT.filter((name) => form.getAll('equipment').includes(name)),
  };
  const number = reference('bookings', [...state.bookings.values(), booking]);
  state.bookings.set(number, booking);
  return seeOther(`/rooms/bookings/${number}`);
}

function donePage(visit: LibraryVisit, rooms: readonly Room[]): Reply {
  const number = visit.params['reference'] ?? '';
  const booking = visit.state.bookings.get(number);
  const room = rooms.find(({ id }) => id === booking?.room);
  if (!booking || !room) return notFoundPage(visit);
  return libraryPage(visit, {
    title: 'Room booked',
    body: html`<h1>The room is booked</h1><p class="box" id="booking" role="status">Booking ${number}: ${room.name}, ${room.branch}, ${booking.day}, ${booking.from} to ${booking.until}, ${booking.people} people.</p>
<p>Equipment: ${booking.equipment.length === 0 ? 'none' : booking.equipment.join(', ')}. Purpose: ${booking.purpose}.</p>`,
  });
}
