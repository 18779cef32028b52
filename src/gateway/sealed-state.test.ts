import { expect, test } from 'vitest';
import { createStateSeal } from './sealed-state.ts';

const owner = { backend: 'ref', principal: 'local', method: 'tools/call', name: 'ask' };
const seal = createStateSeal(Buffer.alloc(32, 1));

test.each(['', 'state', '{"a":"ü🎉"}', 'with.dots.inside', 'x'.repeat(100_000)])(
  'a state comes back byte for byte',
  (state) => {
    const sealed = seal.seal(owner, state);
    expect(seal.open(owner, sealed)).toBe(state);
  },
);

test.each([
  ['backend', { ...owner, backend: 'other' }],
  ['principal', { ...owner, principal: 'someone' }],
  ['method', { ...owner, method: 'prompts/get' }],
  ['tool', { ...owner, name: 'delete' }],
])('it does not open for another %s', (_, other) => {
  expect(seal.open(other, seal.seal(owner, 'state'))).toBeUndefined();
});

test('the parts of an owner cannot be shifted into each other', () => {
  const sealed = seal.seal({ ...owner, backend: 'a', principal: 'b","c' }, 'state');
  expect(seal.open({ ...owner, backend: 'a","b', principal: 'c' }, sealed)).toBeUndefined();
});

test('a state that was altered, cut or forged does not open', () => {
  const sealed = seal.seal(owner, 'state');
  const [mark, payload, mac] = sealed.split('.') as [string, string, string];
  const forged = [
    '',
    'state',
    sealed.slice(0, -1),
    `${sealed}x`,
    `${mark}.${Buffer.from('other').toString('base64url')}.${mac}`,
    `${mark}.${payload}.`,
    `${mark}.${payload}`,
    `p.${payload}.${mac}`,
    createStateSeal(Buffer.alloc(32, 2)).seal(owner, 'state'),
  ];
  expect(forged.filter((text) => seal.open(owner, text) !== undefined)).toEqual([]);
});
