import { describe } from 'vitest';
import { type LeafRow, testLeaves } from '../../test/support/test-leaves.ts';
import type { Facts } from './facts.ts';
import type { Contract } from './schema.ts';

const picture: Contract = { kind: 'screenshot_class', class_id: 'cart', distance_max: 4 };
const question: Contract = { kind: 'image_qa', question: 'Empty?', expected_pattern: '^yes' };
const exemplars = {
  cart: [
    { name: 'far', hash: 'ffffffffffffffff' },
    { name: 'near', hash: '0000000000000007' },
  ],
};
const pictureAt = (hash: string): Facts => ({ screenshot: { hash, path: 's.png' }, exemplars });

const ROWS: LeafRow[] = [
  [
    'screenshot_class',
    picture,
    pictureAt('0000000000000000'),
    'pass',
    { class_id: 'cart', distance: 3, distance_max: 4, nearest_exemplar: 'near' },
  ],
  [
    'screenshot_class',
    picture,
    pictureAt('00000000000000f8'),
    'fail',
    { class_id: 'cart', distance: 8, distance_max: 4, nearest_exemplar: 'near' },
  ],
  [
    'screenshot_class, no picture',
    picture,
    { exemplars },
    'inconclusive',
    {
      class_id: 'cart',
      distance: null,
      distance_max: 4,
      nearest_exemplar: null,
      reason: 'No screenshot was recorded.',
    },
  ],
  [
    'screenshot_class, no class',
    picture,
    { screenshot: { hash: '0000000000000000' }, exemplars: { cart: [] } },
    'inconclusive',
    {
      class_id: 'cart',
      distance: null,
      distance_max: 4,
      nearest_exemplar: null,
      reason: 'No example picture of this class was recorded.',
    },
  ],
  [
    'image_qa',
    question,
    { answers: { 'Empty?': 'yes, it is' } },
    'pass',
    { question: 'Empty?', answer: 'yes, it is', expected_pattern: '^yes' },
  ],
  [
    'image_qa',
    question,
    { answers: { 'Empty?': 'no' } },
    'fail',
    { question: 'Empty?', answer: 'no', expected_pattern: '^yes' },
  ],
  [
    'image_qa, no model',
    question,
    {},
    'inconclusive',
    { question: 'Empty?', answer: null, expected_pattern: '^yes', reason: 'No model has answered this question.' },
  ],
  [
    'image_qa, no picture',
    question,
    { unavailable: { screenshot: 'There is no screenshot.' } },
    'inconclusive',
    { question: 'Empty?', answer: null, expected_pattern: '^yes', reason: 'There is no screenshot.' },
  ],
];

describe('leaves about pictures', () => {
  testLeaves(ROWS);
});
