import { describe, expect, test } from 'vitest';
import { factsIn } from './info.ts';
import { namesInReach } from './names.ts';
import { prefixOf } from './tools/count-keys.ts';
import { argumentsInReach } from './tools/get-slow-log.ts';
import { clientsIn } from './tools/list-clients.ts';

describe('reading what the server reports', () => {
  test('INFO', () => {
    expect(factsIn('# Server\r\nredis_version:7.0.15\r\n\r\n# Keyspace\r\ndb0:keys=1,expires=0\r\nodd\r\n')).toEqual([
      { section: 'server', name: 'redis_version', value: '7.0.15' },
      { section: 'keyspace', name: 'db0', value: 'keys=1,expires=0' },
    ]);
  });

  test('CLIENT LIST', () => {
    const line =
      'id=3 addr=127.0.0.1:5 laddr=127.0.0.1:6379 fd=8 name=app age=12 idle=3 flags=b db=2 tot-mem=100 cmd=blpop user=ada';
    expect(clientsIn(`${line}\n`)).toEqual([
      {
        id: '3',
        address: '127.0.0.1:5',
        name: 'app',
        user: 'ada',
        database: 2,
        age_seconds: 12,
        idle_seconds: 3,
        command: 'blpop',
        memory_bytes: 100,
        blocked: true,
      },
    ]);
  });

  test('prefixes of keys', () => {
    const prefix = (name: string, depth: number) => prefixOf(Buffer.from(name), ':', depth);
    expect(prefix('app:user:1', 1)).toBe('app:');
    expect(prefix('app:user:1', 2)).toBe('app:user:');
    expect(prefix('app:user:1', 5)).toBe('app:user:');
    expect(prefix('alone', 1)).toBe('*');
  });

  test('arguments of slow commands that are out of reach are hidden', () => {
    const shown = (globs: string[] | undefined, ...args: string[]) =>
      argumentsInReach(
        args.map((arg) => Buffer.from(arg)),
        namesInReach({ globs, what: 'key', setting: 's', own: 'sluice:' }),
      );
    expect(shown(undefined, 'app:a', 'value')).toEqual(['app:a', 'value']);
    expect(shown(undefined, 'sluice:a', 'value')).toEqual(['…', '…']);
    expect(shown(['app:*'], 'app:a', 'other:b', 'value')).toEqual(['app:a', '…', '…']);
    const many = Array.from({ length: 10 }, (_, n) => `${n}`);
    expect(shown(undefined, ...many)).toEqual([...many.slice(0, 8), '(2 more)']);
  });
});
