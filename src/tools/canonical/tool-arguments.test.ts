import { expect, test } from 'vitest';
import { toolArguments } from './tool-arguments.ts';

test('an argument with a default is not required, whatever the schema lists', () => {
  const properties = { scale: { type: 'string', default: 'css' }, url: { type: 'string' } };
  expect(toolArguments({ type: 'object', properties, required: ['scale', 'url'] }).required).toEqual(['url']);
});
