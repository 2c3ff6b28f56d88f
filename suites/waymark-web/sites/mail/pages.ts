/** The pages of the mailbox: lists, messages, search, labels, writing. */
import { type Html, html, trusted } from '../../../../fixtures/routes/html.ts';
import { type Reply, seeOther } from '../../../../fixtures/routes/route.ts';
import { choice, foundLine, pageNumber, pager, textField, withQuery } from '../../../shared/controls.ts';
import { ownPath } from '../../../shared/routing.ts';
import { type Brand, type Content, ENABLE_WITH_CHOICE, notFound, page } from '../../frame/layout.ts';
import { defineSite, type Handler, type Visit } from '../../frame/site.ts';
import { LABELS, type MailData, type Message, makeMail } from './data.ts';

const PAGE = 15;
const BRAND: Brand = {
  name: 'Postbox',
  about: 'mail for teams',
  look: 'mail',
  links: [
    ['/', 'Inbox'],
    ['/folder/archive', 'Archive'],
    ['/folder/sent', 'Sent'],
    ['/folder/trash', 'Trash'],
    ...LABELS.map((label) => [`/label/${label}`, label] as const),
  ],
  search: { path: '/search', label: 'Search mail' },
};
type MailVisit = Visit<MailData>;
type MailHandler = Handler<MailData>;
const missing = notFound(BRAND);

function shown(visit: MailVisit, content: Content): Reply {
  return page(BRAND, visit, {
    aside: html`<a class="button primary" id="compose" href="/compose">Write</a>`,
    ...content,
  });
}

/** The newest first. */
function newest(data: MailData, fits: (message: Message) => boolean): [string, Message][] {
  return Object.entries(data.messages)
    .filter(([, message]) => fits(message))
    .sort(([a], [b]) => Number(b.slice(2)) - Number(a.slice(2)));
}

function list(visit: MailVisit, title: string, messages: readonly [string, Message][]): Reply {
  const { query, path, views } = visit;
  const count = Math.ceil(messages.length / PAGE);
  const current = pageNumber(query, count);
  const here = withQuery(path, query, {});
  const row = ([id, { fromName, to, subject, date, labels, attachments, folder }]: [string, Message]): Html =>
    html`<li><input type="checkbox" class="pick" name="id" value="${id}" id="pick-${id}" aria-label="Choose ${subject}">
<span class="grow${views.seen.has(id) ? '' : ' unread'}"><a href="/messages/${id}">${subject}</a><br><span class="dim">${folder === 'sent' ? `To ${to}` : fromName}</span></span>
${labels.map((label) => html`<span class="tag">${label}</span>`)}${attachments.length > 0 ? html`<span class="dim">Attachment</span>` : ''}<span class="dim">${date}</span></li>`;
  return shown(visit, {
    title,
    body: html`<h1>${title}</h1>${foundLine(messages.length, 'message')}<form method="post" action="/bulk"><input type="hidden" name="back" value="${here}">
<div class="row">${choice({ id: 'label', label: 'Label', empty: 'Choose…' }, LABELS, '')}<button name="do" value="label" id="bulk-label" data-bulk>Add label</button><button name="do" value="archive" id="bulk-archive" data-bulk>Archive</button><button name="do" value="trash" id="bulk-trash" class="danger" data-bulk>Delete</button></div>
<ul class="list">${messages.slice((current - 1) * PAGE, current * PAGE).map(row)}</ul></form>
${pager(current, count, (number) => withQuery(path, query, { page: String(number) }))}`,
    script: ENABLE_WITH_CHOICE,
  });
}

const inbox: MailHandler = (visit) =>
  list(
    visit,
    'Inbox',
    newest(visit.data, ({ folder }) => folder === 'inbox'),
  );

const TITLES: Readonly<Record<string, string>> = { archive: 'Archive', sent: 'Sent', trash: 'Trash' };

const folder: MailHandler = (visit) => {
  const name = visit.params['name'] ?? '';
  const title = TITLES[name];
  return title === undefined
    ? missing(visit)
    : list(
        visit,
        title,
        newest(visit.data, (message) => message.folder === name),
      );
};

const label: MailHandler = (visit) => {
  const name = visit.params['name'] ?? '';
  return list(
    visit,
    `Label “${name}”`,
    newest(visit.data, ({ labels, folder }) => labels.includes(name) && folder !== 'trash'),
  );
};

const results: MailHandler = (visit) => {
  const words = (visit.query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ subject, text, fromName, folder: place }: Message): boolean => {
    const all = `${subject} ${text} ${fromName}`.toLowerCase();
    return place !== 'trash' && words.every((word) => all.includes(word));
  };
  return list(visit, `Results for “${visit.query.get('q') ?? ''}”`, newest(visit.data, fits));
};

const message: MailHandler = (visit) => {
  const id = visit.params['id'] ?? '';
  const one = visit.data.messages[id];
  if (!one) return missing(visit);
  visit.views.seen.add(id);
  const act = (what: string, id: string, text: string, danger = false): Html =>
    html`<button name="do" value="${what}" id="${id}"${danger ? trusted(' class="danger"') : ''}>${text}</button>`;
  return shown(visit, {
    title: one.subject,
    body: html`<h1>${one.subject}</h1><p><strong>${one.fromName}</strong> <span class="dim">${one.from}, to ${one.to}, ${one.date}, ${one.folder}</span> ${one.labels.map((each) => html`<span class="tag">${each}</span>`)}</p>
<div class="mail-text box" id="text">${one.text}</div>
${one.attachments.length === 0 ? '' : html`<h2>Attachments</h2><ul>${one.attachments.map(({ name }, index) => html`<li><a href="/messages/${id}/files/${index + 1}">${name}</a></li>`)}</ul>`}
<form class="row" method="post" action="/bulk"><input type="hidden" name="id" value="${id}"><input type="hidden" name="back" value="/messages/${id}">
<a class="button primary" id="reply" href="/compose?reply=${id}">Reply</a><a class="button" id="forward" href="/compose?forward=${id}">Forward</a>
${act('archive', 'archive', 'Archive')}${act('trash', 'delete', 'Delete', true)}${choice({ id: 'label', label: 'Label', empty: 'Choose…' }, LABELS, '')}${act('label', 'add-label', 'Add label')}</form>`,
  });
};

const attachment: MailHandler = (visit) => {
  const id = visit.params['id'] ?? '';
  const file = visit.data.messages[id]?.attachments[Number(visit.params['number']) - 1];
  if (!file) return missing(visit);
  return shown(visit, {
    title: file.name,
    body: html`<p><a href="/messages/${id}">Back to the message</a></p><h1>${file.name}</h1><pre class="box" id="file">${file.text}</pre>`,
  });
};

const bulk: MailHandler = ({ data, form, views }) => {
  const chosen = form.getAll('id').flatMap((id) => data.messages[id] ?? []);
  const what = form.get('do');
  const wanted = LABELS.find((each) => each === form.get('label'));
  for (const one of chosen) {
    if (what === 'archive' || what === 'trash') one.folder = what;
    else if (wanted !== undefined && !one.labels.includes(wanted)) one.labels = [...one.labels, wanted].sort();
  }
  if (chosen.length === 0) views.notice = 'Choose a message first.';
  else if (what === 'label' && wanted === undefined) views.notice = 'Choose a label first.';
  else views.notice = chosen.length === 1 ? '1 message was changed.' : `${chosen.length} messages were changed.`;
  return seeOther(ownPath(form.get('back')));
};

function composeForm(visit: MailVisit, values: URLSearchParams, problem?: string): Reply {
  const about = values.get('about') ?? '';
  return shown(visit, {
    title: 'Write',
    status: problem === undefined ? 200 : 422,
    body: html`<h1>Write a message</h1><form class="stack" method="post" action="/compose"><input type="hidden" name="about" value="${about}">
${textField({ id: 'to', label: 'To', problem, hint: 'One address, or the name of a contact' }, values.get('to') ?? '')}
${textField({ id: 'subject', label: 'Subject' }, values.get('subject') ?? '')}
<div class="field"><label for="body">Text</label><textarea id="body" name="body">${values.get('body') ?? ''}</textarea></div>
<button class="primary" id="send">Send</button></form>`,
  });
}

const compose: MailHandler = (visit) => {
  const { data, query } = visit;
  const [reply, forward] = [query.get('reply') ?? '', query.get('forward') ?? ''];
  const one = data.messages[reply || forward];
  if (!one) return composeForm(visit, new URLSearchParams());
  const values = reply
    ? { to: one.from, subject: `Re: ${one.subject}`, about: reply }
    : { subject: `Fwd: ${one.subject}`, about: forward };
  return composeForm(visit, new URLSearchParams(values));
};

const send: MailHandler = (visit) => {
  const { data, form, views } = visit;
  const given = (form.get('to') ?? '').trim();
  const to = data.contacts[given] ?? given;
  if (!/^[^@\s]+@[^@\s]+$/.test(to)) return composeForm(visit, form, 'Enter one address, or the name of a contact.');
  const about = form.get('about') ?? '';
  const text = (form.get('body') ?? '').replaceAll('\r\n', '\n').trim();
  const id = nextMessage(data);
  data.messages[id] = sentMessage(data, { to, subject: (form.get('subject') ?? '').trim(), text, about });
  views.notice = `Your message to ${to} was sent.`;
  return seeOther(`/messages/${id}`);
};

export function nextMessage({ messages }: MailData): string {
  return `m-${Math.max(...Object.keys(messages).map((id) => Number(id.slice(2)))) + 1}`;
}

/** As it stands in the folder of what was sent. */
export function sentMessage(
  { me }: MailData,
  { to, subject, text, about }: { to: string; subject: string; text: string; about?: string },
): Message {
  return {
    from: me,
    fromName: 'Me',
    to,
    subject,
    text,
    date: 'today',
    folder: 'sent',
    labels: [],
    attachments: [],
    ...(about ? { about } : {}),
  };
}

export const mail = defineSite<MailData>({
  name: 'mail',
  make: makeMail,
  notFound: missing,
  routes: {
    'GET /': inbox,
    'GET /folder/:name': folder,
    'GET /label/:name': label,
    'GET /search': results,
    'GET /messages/:id': message,
    'GET /messages/:id/files/:number': attachment,
    'POST /bulk': bulk,
    'GET /compose': compose,
    'POST /compose': send,
  },
});
