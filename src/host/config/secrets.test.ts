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

test('the values of .env are secrets, except those that name a place', () => {
  const dotenv = {
    DATA_DIR: '/srv/data',
    HOME_TOKEN: '/looks/like/a/path',
    N8N_URL: 'http://localhost:5678',
    HOOK_URL: 'https://hooks.example/services/T0/B1/xyz',
    DB_URL: 'postgres://me@db.example:5432/app',
    ANYTHING: 'hunter2',
  };
  expect(new Set(secretsOf({ dotenv, used: [], env: {}, tree: {} }))).toEqual(
    new Set([dotenv.HOME_TOKEN, dotenv.HOOK_URL, dotenv.DB_URL, dotenv.ANYTHING]),
  );
});

test('what everybody sees is no secret, although a password is the same word', () => {
  const dotenv = { POSTGRES_PASSWORD: 'postgres', NAME: 'example', OTHER: 'postgres-2' };
  const shown = ['postgres', 'https://sluice.example'];
  expect(secretsOf({ dotenv, used: [], env: {}, tree: {}, shown })).toEqual(['postgres-2']);
});

test('secrets are recognised in lists of arguments, in addresses and by their form', () => {
  const tree = {
    args: ['-y', 'tickets-mcp', '--api-key', 'separate-value', '--token=attached-value'],
    more: ['--header', 'Authorization: Bearer header-value'],
    url: 'https://mcp.example/mcp?exaApiKey=parameter%20value&profile=everyday',
    other: 'https://lone-token@mcp.example/mcp',
    env: { ANTHROPIC: 'the key sk-ant-0123456789abcdef' },
  };
  expect(new Set(secretsOf({ dotenv: {}, used: [], env: {}, tree }))).toEqual(
    new Set([
      'separate-value',
      'attached-value',
      'Bearer header-value',
      'header-value',
      'parameter value',
      'lone-token',
      'sk-ant-0123456789abcdef',
    ]),
  );
});
