import { expect, test } from 'vitest';
import { duplicatesAmong } from './duplicates.ts';

const heads = (...names: string[]) => names.map((name) => ({ name, type: 'person' }));
const named = async (...names: string[]) =>
  (await duplicatesAmong(heads(...names))).map(({ why, entities }) => [why, entities.map(({ name }) => name)]);

test('names in another spelling are the same', async () => {
  expect(await named('Ada Lovelace', 'ada-lovelace', 'Müller', 'MULLER', 'Bob', '!!!', '???')).toEqual([
    ['same name', ['Ada Lovelace', 'ada-lovelace']],
    ['same name', ['Müller', 'MULLER']],
  ]);
});

test('names that differ by one letter, or two that are swapped, are similar', async () => {
  expect(await named('Kubernetes', 'Kubernets', 'Kubernetse', 'Postgres', 'Redis')).toEqual([
    ['similar name', ['Kubernetes', 'Kubernets', 'Kubernetse']],
  ]);
});

test('short names and other numbers are not', async () => {
  expect(await named('Ada', 'Ida', 'Server 1', 'Server 2', 'v1.2.3 release', 'v1.2.4 release')).toEqual([]);
});

test('thousands of names are compared without holding others up', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const names = Array.from({ length: 20_000 }, (_, n) => `entity ${n.toString(36)} of many`);
  await duplicatesAmong(heads(...names));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
});
