import { createHmac } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import type { Peers, Replica } from '../kernel/shared.ts';
import { digestOf, forwardedHeader, readForwarded, REMEMBERED_MS } from './forwarded-header.ts';
import { createOnce } from './once.ts';

const headers = { authorization: 'Bearer k', cookie: ['a=1', 'b=2'], 'mcp-session-id': 'b.1', accept: '*/*' };
const body = Buffer.from('{}');
const sent = { method: 'POST', url: '/mcp?expose=flat', headers, body };
const request = {
  method: 'POST',
  url: '/mcp?expose=flat',
  // Node sends cookies as one header. A proxy may have added the last one.
  headersDistinct: { authorization: ['Bearer k'], cookie: ['a=1; b=2'], 'mcp-session-id': ['b.1'], via: ['proxy'] },
};

const having = (changed: NodeJS.Dict<string[]>) => ({
  ...request,
  headersDistinct: { ...request.headersDistinct, ...changed },
});

function peersNamed(self: string, skewMs = 0, key = 'key'): Pick<Peers, 'self' | 'all' | 'sign' | 'isSigned'> {
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  return { self, all: () => [{ skewMs } as Replica], sign, isSigned: (text, given) => sign(text) === given };
}

describe('the header of forwarded requests', () => {
  const header = forwardedHeader(peersNamed('a'), sent, 'b', '203.0.113.9');

  it('says who forwards for whom', () => {
    const forwarded = { from: 'a', to: 'b', address: '203.0.113.9', body: digestOf(body) };
    expect(readForwarded(peersNamed('b'), request, header, () => true)).toEqual(forwarded);
  });

  it('says nothing of the body if an older version wrote it', () => {
    const fields = { from: 'a', to: 'b', at: Date.now(), nonce: 'n', address: '::1' };
    const payload = Buffer.from(JSON.stringify(fields)).toString('base64url');
    const peers = peersNamed('b');
    const old = `${payload}.${peers.sign(`forward\nPOST /mcp?expose=flat\n${payload}`)}`;
    expect(readForwarded(peers, request, old, () => true)).toMatchObject({ from: 'a', body: undefined });
  });

  it.each([
    ['another path', { ...request, url: '/mcp' }, header],
    ['another method', { ...request, method: 'DELETE' }, header],
    ['another credential', having({ authorization: ['Bearer other'] }), header],
    ['no credential', having({ authorization: undefined }), header],
    ['a second credential', having({ 'x-api-key': ['other'] }), header],
    ['another cookie', having({ cookie: ['a=1; b=3'] }), header],
    ['another session', having({ 'mcp-session-id': ['b.2'] }), header],
    ['another page', having({ origin: ['https://example.com'] }), header],
    ['no signature', request, header.split('.')[0] as string],
    ['an empty signature', request, `${header.split('.')[0]}.`],
    ['other fields', request, `${Buffer.from('{"from":"a","to":"b"}').toString('base64url')}.${header.split('.')[1]}`],
    ['nothing', request, ''],
    ['text', request, 'true'],
  ])('holds for one request: not with %s', (_, asked, given) => {
    expect(readForwarded(peersNamed('b'), asked, given, () => true)).toBeUndefined();
  });

  it('holds once', () => {
    const isNew = createOnce(REMEMBERED_MS);
    const again = forwardedHeader(peersNamed('a'), sent, 'b', '203.0.113.9');
    const read = (given: string) => readForwarded(peersNamed('b'), request, given, isNew) !== undefined;
    expect([read(header), read(header), read(again), read(again), read(header)]).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  it('is no use with another key', () => {
    expect(readForwarded(peersNamed('b', 0, 'other'), request, header, () => true)).toBeUndefined();
  });

  it('refuses fields that it does not know', () => {
    const payload = Buffer.from('{"version":2}').toString('base64url');
    const peers = peersNamed('b');
    const other = `${payload}.${peers.sign(`forward\nPOST /mcp?expose=flat\n${payload}`)}`;
    expect(readForwarded(peers, request, other, () => true)).toBeUndefined();
  });

  it('holds for a minute', () => {
    vi.useFakeTimers({ now: Date.now() });
    const signed = forwardedHeader(peersNamed('a'), sent, 'b', '::1');
    vi.advanceTimersByTime(59_000);
    expect(readForwarded(peersNamed('b'), request, signed, () => true)).toBeDefined();
    vi.advanceTimersByTime(2000);
    expect(readForwarded(peersNamed('b'), request, signed, () => true)).toBeUndefined();
    vi.useRealTimers();
  });

  it('uses the clock of the database, however far the clocks of the replicas are apart', () => {
    vi.useFakeTimers({ now: 1_800_000_000_000 });
    // The clock of a is ten minutes ahead, the clock of b two minutes behind.
    const signed = forwardedHeader(peersNamed('a', 600_000), sent, 'b', '::1');
    vi.setSystemTime(1_800_000_000_000 - 720_000);
    expect(readForwarded(peersNamed('b', -120_000), request, signed, () => true)).toBeDefined();
    expect(readForwarded(peersNamed('b', 0), request, signed, () => true)).toBeUndefined();
    vi.useRealTimers();
  });
});
