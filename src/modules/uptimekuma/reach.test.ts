import { expect, test } from 'vitest';
import { monitorsInReach } from './reach.ts';

const reach = monitorsInReach(['shop-*', '12'], 'modules.uptimekuma.monitors');

test('monitors are allowed by name or by id', () => {
  expect(reach.has({ id: 1, name: 'shop-api' })).toBe(true);
  expect(reach.has({ id: 12, name: 'other' })).toBe(true);
  expect(reach.has({ id: 121, name: 'other' })).toBe(false);
});

test('a refusal says where the list is', () => {
  expect(() => reach.need({ id: 2, name: 'bank' })).toThrow(
    'The monitor bank is out of reach: modules.uptimekuma.monitors in sluice.yaml allows shop-*, 12.',
  );
  expect(() => reach.needName('bank')).toThrow('out of reach');
});

test('what concerns several monitors needs all of them', () => {
  expect(() =>
    reach.needAll(
      [
        { id: 1, name: 'shop-a' },
        { id: 2, name: 'bank' },
      ],
      'The group X',
    ),
  ).toThrow('The group X has 1 monitor out of reach');
  expect(reach.needAll([{ id: 1, name: 'shop-a' }], 'The group X')).toBeUndefined();
});

test('without a list, everything is allowed', () => {
  expect(monitorsInReach(undefined, 'x').has({ id: 1, name: 'any' })).toBe(true);
});
