import { describe, expect, test } from 'vitest';
import { accessTo } from './access.ts';

const setting = 'modules.mongodb.databases';

describe('without a list', () => {
  const access = accessTo(undefined, setting);

  test('everything is in reach but what the server keeps for itself', () => {
    expect(access.hasCollection('shop', 'orders')).toBe(true);
    for (const name of ['admin', 'config', 'local']) {
      expect(access.hasDatabase(name)).toBe(false);
      expect(() => access.needDatabase(name)).toThrow('belongs to the server');
    }
    expect(access.hasCollection('shop', 'system.users')).toBe(false);
    expect(() => access.needCollection('shop', 'system.js')).toThrow('belongs to the server');
    expect(access.isLimited).toBe(false);
  });

  test.each(['a.b', 'a/b', '..', '', 'a b', 'a$b', 'a\0b', 'x'.repeat(64), 'a"'])('%j is no database', (name) => {
    expect(() => access.needDatabase(name)).toThrow('cannot be the name of a database');
  });

  test.each(['$cmd', 'a$b', '.a', 'a.', 'a..b', '', 'a\0'])('%j is no collection', (name) => {
    expect(() => access.needCollection('shop', name)).toThrow('cannot be the name of a collection');
  });

  test.each(['a/b', 'a.b', '__proto__', 'constructor', 'ö'])('%j is a collection', (name) => {
    expect(() => access.needCollection('shop', name)).not.toThrow();
  });
});

describe('with a list', () => {
  const access = accessTo(['shop', 'crm_*.contact*', 'admin'], setting);

  test('databases and collections are matched apart', () => {
    expect(access.hasCollection('shop', 'orders')).toBe(true);
    expect(access.hasCollection('crm_eu', 'contacts.old')).toBe(true);
    expect(access.hasCollection('crm_eu', 'users')).toBe(false);
    expect(access.hasDatabase('crm_eu')).toBe(true);
    expect(access.hasDatabase('crm')).toBe(false);
    expect(() => access.needCollection('crm_eu', 'users')).toThrow(
      'The collection crm_eu.users is out of reach: modules.mongodb.databases in sluice.yaml allows shop, crm_*.contact*, admin.',
    );
  });

  test('a database as a whole takes a rule without a collection', () => {
    expect(() => access.needWhole('shop')).not.toThrow();
    expect(() => access.needWhole('crm_eu')).toThrow('as a whole');
  });

  test('no list opens the databases of the server', () => {
    expect(access.hasDatabase('admin')).toBe(false);
    expect(accessTo(['*'], setting).hasCollection('config', 'x')).toBe(false);
  });
});
