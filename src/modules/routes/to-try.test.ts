import { expect, test } from 'vitest';
import type { Entry } from '../../kernel/source.ts';
import { toTry } from './to-try.ts';

const tool = (name: string, inputSchema: object = {}) => ({
  name,
  entry: { wire: { name, inputSchema } } as unknown as Entry,
});

test('prefers what says how the service is, then lists', () => {
  expect(toTry([tool('redis_scan_keys'), tool('redis_list_clients'), tool('redis_get_server_info')])).toBe(
    'redis_get_server_info',
  );
  expect(toTry([tool('x_find'), tool('x_list_tables')])).toBe('x_list_tables');
  expect(toTry([tool('x_find')])).toBe('x_find');
});

test('leaves out what needs arguments', () => {
  expect(toTry([tool('x_get_info', { required: ['id'] }), tool('x_find', { required: [] })])).toBe('x_find');
  expect(toTry([tool('x_get_info', { required: ['id'] })])).toBeUndefined();
});
