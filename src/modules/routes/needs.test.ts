import { expect, test, vi } from 'vitest';
import { needsOf } from './needs.ts';

vi.mock('../known.ts', () => {
  let loads = 0;
  const load = async () => {
    if (loads++ === 0) throw new Error('EMFILE');
    return { description: 'A cache', settings: { shape: {} } };
  };
  return { known: new Map([['redis', { environment: {}, load }]]) };
});

test('a module that could not be loaded is loaded again', async () => {
  await expect(needsOf('redis')).rejects.toThrow('EMFILE');
  expect(await needsOf('redis')).toMatchObject({ description: 'A cache' });
});
