import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createGate, type GateSettings } from './gate.ts';

function ask(
  headers: Record<string, string>,
  settings: Partial<GateSettings> = {},
  { authenticated = false, localAddress = '127.0.0.1', raw = [] as string[] } = {},
) {
  const rawHeaders = [...Object.entries(headers).flat(), ...raw];
  const request = { headers, rawHeaders, socket: { localAddress }, method: 'POST' } as unknown as IncomingMessage;
  const all = { host: '127.0.0.1', allowedHosts: [], allowedOrigins: [], ...settings };
  const answer = createGate(
    () => all,
    () => authenticated,
  )(request);
  return 'refusal' in answer ? answer.refusal.status : 'passes';
}

describe('hosts', () => {
  it.each(['127.0.0.1:3500', 'localhost', 'LOCALHOST:1', '[::1]:3500', '127.8.8.8'])('%s is known', (host) => {
    expect(ask({ host })).toBe('passes');
  });

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '192.0.2.7',
    '',
    'a b',
    'localhost:x',
    '[::1',
  ])('%j is unknown', (host) => expect(ask({ host })).toBe(403));

  it('a missing Host is refused', () => expect(ask({})).toBe(403));

  it('the host of publicUrl and the allowed hosts are known', () => {
    expect(ask({ host: 'sluice.example.com' }, { publicUrl: 'https://sluice.example.com' })).toBe('passes');
    expect(ask({ host: 'gateway:3500' }, { allowedHosts: ['gateway'] })).toBe('passes');
  });

  it('the address the client connected to is known, another is not', () => {
    const settings = { host: '0.0.0.0' };
    expect(ask({ host: '192.0.2.7:3500' }, settings, { localAddress: '::ffff:192.0.2.7' })).toBe('passes');
    expect(ask({ host: '192.0.2.8:3500' }, settings, { localAddress: '::ffff:192.0.2.7' })).toBe(403);
  });
});

describe('origins', () => {
  const host = '127.0.0.1:3500';
  it.each(['http://localhost:6274', 'http://127.0.0.1:8080', 'http://[::1]:1'])('%s passes', (origin) =>
    expect(ask({ host, origin })).toBe('passes'),
  );
  it.each(['https://evil.example', 'null', 'http://localhost.evil.example', ''])('%j does not', (origin) =>
    expect(ask({ host, origin })).toBe(403),
  );
  it('a configured origin passes if it matches exactly', () => {
    const settings = { allowedOrigins: ['https://app.example.com'] };
    expect(ask({ host, origin: 'https://app.example.com' }, settings)).toBe('passes');
    expect(ask({ host, origin: 'http://app.example.com' }, settings)).toBe(403);
    expect(ask({ host, origin: 'https://app.example.com:8443' }, settings)).toBe(403);
  });
});

describe('ambiguous headers', () => {
  it.each(['Host', 'Authorization', 'X-API-Key', 'Origin', 'Mcp-Session-Id'])('%s twice is refused', (name) => {
    expect(ask({ host: 'localhost' }, {}, { raw: [name, 'localhost', name.toUpperCase(), 'b'] })).toBe(400);
  });
});

describe('a proxy', () => {
  const through = { host: 'localhost', 'x-forwarded-for': '192.0.2.9' };
  it.each([
    'forwarded',
    'via',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-server',
    'x-forwarded-anything',
    'x-original-forwarded-for',
    'x-real-ip',
    'x-client-ip',
    'x-cluster-client-ip',
    'true-client-ip',
    'cf-connecting-ip',
    'fastly-client-ip',
    'x-envoy-external-address',
    'tailscale-user-login',
  ])('is refused while authentication is off: %s', (name) => {
    expect(ask({ host: 'localhost', [name]: 'x' })).toBe(403);
    expect(ask({ host: 'localhost', [name]: '' })).toBe(403);
  });
  it('is not detected by a trace or language header', () =>
    expect(ask({ host: 'localhost', traceparent: 'x', 'accept-language': 'de', 'x-request-id': 'x' })).toBe('passes'));
  it('is allowed while authentication is on', () => expect(ask(through, {}, { authenticated: true })).toBe('passes'));
});
