import { expect, test } from 'vitest';
import { secretsOf } from './secrets.ts';

const ofEnvironment = (env: Record<string, string>) => secretsOf({ dotenv: {}, used: [], env, tree: {} });

test('the credentials of a trace collector are secrets, in both forms', () => {
  const env = { OTEL_EXPORTER_OTLP_HEADERS: 'x-team=operations,authorization=Bearer%20collector-key' };
  expect(ofEnvironment(env)).toEqual(
    expect.arrayContaining(['Bearer%20collector-key', 'Bearer collector-key', 'collector-key']),
  );
});

test('a working directory is not a password', () => {
  expect(ofEnvironment({ PWD: '/home/somebody', OLDPWD: '/home/elsewhere', MY_PWD: 'hunter2hunter2' })).toEqual([
    'hunter2hunter2',
  ]);
});
