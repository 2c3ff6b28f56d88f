import { expect, test } from 'vitest';
import { type ProposalGrounds, proposals } from './proposals.ts';

const button = (name: string) => ({ role: 'button', name });
const grounds: ProposalGrounds = {
  goal: 'Book the cheapest trip.',
  controls: [button('Help'), button('Book trip'), button('Ask for help')],
  isDialogOpen: false,
  hasMoved: true,
  isGuarded: false,
  history: [],
  callOf: (action) => ({ tool: action.action, arguments: JSON.stringify(action), observes: action.action === 'read' }),
};
const said = (changes: Partial<ProposalGrounds>) =>
  proposals({ ...grounds, ...changes }).map(({ action }) =>
    action.action === 'click' ? `click ${action.target.name}` : Object.values(action).join(' '),
  );

test('what the goal names comes first, then looking, then the rest', () => {
  expect(said({})).toEqual([
    'click Book trip',
    'read',
    'click Ask for help',
    'click Help',
    'navigate back',
    'navigate reload',
    'press Escape',
  ]);
});

test('on the first page there is nothing to go back to', () => {
  expect(said({ hasMoved: false })).not.toContain('navigate back');
});

test('an open dialog is answered, because the page does nothing else until then', () => {
  expect(said({ isDialogOpen: true })).toEqual(['handle_dialog false', 'handle_dialog true']);
});

test('where the task guards actions, nothing is proposed that acts on the page', () => {
  expect(said({ isGuarded: true })).toEqual(['read', 'navigate back']);
  expect(said({ isGuarded: true, isDialogOpen: true })).toEqual(['read', 'navigate back']);
});

test('each proposal has its rank, with the reasons for it', () => {
  expect(proposals(grounds)[0]?.rank).toEqual({ score: 0.6429, reasons: ['the goal names its element'] });
});
