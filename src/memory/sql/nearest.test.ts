import { expect, test } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import type { TablesApart } from '../../store/store.ts';
import { dialectOf } from './dialect.ts';
import { nearestIn } from './nearest.ts';

const lost = new AppError('unavailable', 'gone', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
const refused = new AppError('unavailable', 'no right', { cause: Object.assign(new Error(), { code: '42501' }) });

test.each<[string, string, AppError, number]>([
  ['looked up: it is looked up again', 'rows', lost, 2],
  ['made: it is made again', 'batch', lost, 2],
  ['made for want of a right: it is left at that', 'batch', refused, 1],
])('an index that could not be %s', async (_, where, failure, most) => {
  let asked = 0;
  const fails = (here: string) => {
    if (where === here && ++asked === 1) throw failure;
  };
  const tables = {
    dialect: 'postgres',
    async rows(sql: string) {
      if (/[^_]count\(/i.test(sql)) return [{ count: 1_000_000 }];
      if (!sql.includes('pg_extension')) return [];
      fails('rows');
      return [{ schema: 'public' }];
    },
    batch: async () => fails('batch'),
  } as unknown as TablesApart;
  const nearest = nearestIn(tables, dialectOf({ dialect: 'postgres' } as TablesApart));
  const vector = { model: 'm', bytes: new Int8Array(8), bits: new Uint8Array(1) };
  const search = { vector, wanted: {}, condition: { sql: 'TRUE', values: [] }, spaces: [1], limit: 3 };
  const ask = () => nearest(search as never).catch((error: unknown) => error);
  if (failure === lost) expect(await ask()).toBe(lost);
  else expect(await ask()).toEqual([]);
  expect(await ask()).toEqual([]);
  expect(asked).toBe(most);
});
