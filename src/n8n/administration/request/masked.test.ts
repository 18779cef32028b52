import { expect, test } from 'vitest';
import { masked } from './masked.ts';

const H = '[hidden]';

test('secrets are hidden by the names of their fields', () => {
  const { value, hides } = masked(
    { apiKey: 'k', nested: [{ clientSecret: 's', name: 'n' }], password: '', token: null, tokens: 12, emailSent: true },
    '/api/v1/settings/sso/oidc',
  );
  expect(value).toEqual({
    apiKey: H,
    nested: [{ clientSecret: H, name: 'n' }],
    password: '',
    token: null,
    tokens: 12,
    emailSent: true,
  });
  expect(hides).toBe(true);
});

test('the values of a credential are hidden, a list of credentials is not', () => {
  expect(masked({ name: 'c', type: 't', data: { user: 'u' } }, '/api/v1/credentials').value).toEqual({
    name: 'c',
    type: 't',
    data: H,
  });
  const list = { data: [{ id: '1', name: 'c' }], nextCursor: null };
  expect(masked(list, '/api/v1/credentials')).toEqual({ value: list, hides: false });
});

test('n8n ignores case in paths, and so do we', () => {
  expect(masked({ data: { user: 'u' } }, '/api/v1/Credentials/1').value).toEqual({ data: H });
  expect(masked([{ key: 'LIVE_KEY', value: 'x' }], '/api/v1/VARIABLES').value).toEqual([{ key: 'LIVE_KEY', value: H }]);
});

test('which credential a node uses is no secret', () => {
  const node = { name: 'HTTP', credentials: { httpHeaderAuth: { id: '1', name: 'Header' } } };
  expect(masked({ nodes: [node] }, '/api/v1/workflows/1')).toEqual({ value: { nodes: [node] }, hides: false });
});

test('headers and variables are hidden by the name beside the value', () => {
  const parameters = [
    { name: 'Authorization', value: 'Bearer x' },
    { name: 'Accept', value: 'text/html' },
  ];
  expect(masked({ parameters }, '/api/v1/workflows/1').value).toEqual({
    parameters: [{ name: 'Authorization', value: H }, parameters[1]],
  });
  const data = [
    { key: 'STRIPE_KEY', value: 'x' },
    { key: 'REGION', value: 'eu' },
  ];
  expect(masked({ data }, '/api/v1/variables').value).toEqual({ data: [{ key: 'STRIPE_KEY', value: H }, data[1]] });
});

test('invite links and tokens in texts are hidden', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc';
  expect(
    masked([{ user: { email: 'a@b.c', inviteAcceptUrl: `http://n8n/signup?token=${jwt}` } }], '/api/v1/users').value,
  ).toEqual([{ user: { email: 'a@b.c', inviteAcceptUrl: H } }]);
  expect(masked({ note: `use ${jwt}` }, '/api/v1/x').value).toEqual({ note: H });
});

test('headers in one text and addresses with a key in them are hidden', () => {
  const otel = { enabled: true, exporterHeaders: 'x-honeycomb-team=abc', exporterEndpoint: 'http://localhost:4318' };
  expect(masked(otel, '/api/v1/settings/otel').value).toEqual({ ...otel, exporterHeaders: H });
  const destination = { type: 'sentry', dsn: 'https://abc@sentry.example.com/1', jsonHeaders: '{"X-Auth":"abc"}' };
  expect(masked({ data: [destination] }, '/api/v1/settings/log-streaming/destinations').value).toEqual({
    data: [{ type: 'sentry', dsn: H, jsonHeaders: H }],
  });
});

test('what is nested without end ends', () => {
  let deep: unknown = 'x';
  for (let level = 0; level < 5000; level++) deep = { a: deep };
  expect(JSON.stringify(masked(deep, '/api/v1/x').value)).toContain('[too deep]');
});
