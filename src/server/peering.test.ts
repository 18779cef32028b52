import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { Peers, Replica } from '../kernel/shared.ts';
import { openPeering, ownAddresses, peerUrlOf } from './peering.ts';

const report = { state: 'ok', problems: [], sessions: 0, tools: 0 } as const;

function opened(
  drain: number | undefined,
  cutOffSince: () => number | undefined = () => undefined,
  others: readonly Replica[] = [],
) {
  const told: string[] = [];
  const peers: Peers = {
    self: 'a',
    all: () => others,
    find: async () => undefined,
    announce: (url) => void told.push(`at ${url}`),
    lookAgain() {},
    async drain() {
      told.push('drain');
    },
    sign: () => '',
    isSigned: () => false,
  };
  const settings = () => ({ host: '127.0.0.1', trustProxy: false, drain });
  const url = 'http://127.0.0.1:3500';
  return {
    told,
    peering: openPeering({
      peers,
      shared: { cutOffSince },
      settings,
      url,
      report: () => report,
      acceptNoMore: async () => void told.push('refuse'),
    }),
  };
}

describe('where other replicas reach this one', () => {
  const here = 'http://127.0.0.1:3500';
  const addresses = () => ['192.0.2.7', '2001:db8::7'];

  it.each([
    ['the bound address', { host: '192.0.2.1' }, 'http://192.0.2.1:3500', 'http://192.0.2.1:3500'],
    ['an address of this machine, if it listens on all', { host: '0.0.0.0' }, here, 'http://192.0.2.7:3500'],
    ['the same for IPv6', { host: '::' }, 'http://[::1]:3500', 'http://192.0.2.7:3500'],
    ['as configured', { host: '0.0.0.0', peerUrl: 'https://one.example.com/x' }, here, 'https://one.example.com'],
    [
      'the address of the pod, with our port',
      { host: '0.0.0.0', peerUrl: 'http://10.0.0.9:0' },
      here,
      'http://10.0.0.9:3500',
    ],
    ['the same for IPv6', { host: '::', peerUrl: 'http://[2001:db8::9]:0' }, here, 'http://[2001:db8::9]:3500'],
  ])('is %s', (_, settings, url, expected) => {
    expect(peerUrlOf(settings, url, addresses)).toBe(expected);
  });

  it('is the loopback address if there is no other', () => {
    expect(peerUrlOf({ host: '0.0.0.0' }, here, () => [])).toBe(here);
  });

  it('is no address that only its own network segment knows', () => {
    const at = (address: string, family: 'IPv4' | 'IPv6', internal = false) =>
      ({ address, family, internal }) as NetworkInterfaceInfo;
    const interfaces = {
      lo: [at('127.0.0.1', 'IPv4', true)],
      eth0: [at('169.254.172.2', 'IPv4'), at('fe80::1', 'IPv6')],
      eth1: [at('2001:db8::7', 'IPv6'), at('10.0.1.7', 'IPv4')],
    };
    expect(ownAddresses(interfaces)).toEqual(['10.0.1.7', '2001:db8::7']);
  });
});

describe('a replica that stops', () => {
  it('says so, hands over, and waits as long as configured', async () => {
    const { told, peering } = opened(20);
    expect(peering.unready()).toBeUndefined();
    const drained = peering.drain(new Promise(() => {}));
    expect(peering.unready()).toBe('stopping');
    expect(told).toEqual(['at http://127.0.0.1:3500', 'drain']);
    await expect(drained).resolves.toBeUndefined();
    peering[Symbol.dispose]();
  });

  it('waits no longer when it is told to hurry', async () => {
    const { peering } = opened(3_600_000);
    await peering.drain(Promise.resolve());
    expect(peering.unready()).toBe('stopping');
    peering[Symbol.dispose]();
  });

  it('refuses connections once the others have had the time to take over', async () => {
    const { told, peering } = opened(20, () => undefined, [{ id: 'a' }, { id: 'b' }] as Replica[]);
    const drained = peering.drain(new Promise(() => {}));
    expect(told).not.toContain('refuse');
    await drained;
    expect(told.at(-1)).toBe('refuse');
    peering[Symbol.dispose]();
  });

  it('does not wait if there is no other', async () => {
    const { told, peering } = opened(undefined);
    await peering.drain(new Promise(() => {}));
    expect(told).toContain('drain');
    expect(told).not.toContain('refuse');
    peering[Symbol.dispose]();
  });
});

describe('a replica without its store', () => {
  it('is not ready once nobody can be authenticated', () => {
    let since: number | undefined = performance.now() - 59_000;
    const { peering } = opened(0, () => since);
    expect(peering.unready()).toBeUndefined();
    since = performance.now() - 61_000;
    expect(peering.unready()).toBe('cut off from the store');
    since = undefined;
    expect(peering.unready()).toBeUndefined();
    peering[Symbol.dispose]();
  });
});
