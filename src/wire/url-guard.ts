import { lookup } from 'node:dns';
import { lookup as resolveName } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { AppError } from '../kernel/errors.ts';

type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * Refuses a URL that leads into this machine or its network. For servers that a tool call adds: a model may have been
 * tricked into it. Servers in the file were added by the owner and are not checked.
 *
 * A name can resolve differently at the time of the connection, and a server can redirect. So connect with
 * `publicLookup`, and check again before following a redirect.
 */
export async function assertPublicUrl(
  given: string | URL,
  { resolve = resolveHost }: { resolve?: Resolve } = {},
): Promise<URL> {
  if (!URL.canParse(String(given))) {
    throw new AppError('invalid_input', 'This is not a URL. Write a full one, for example https://example.com/mcp.');
  }
  const url = new URL(given);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refusal(`Only http and https URLs can be added, not ${url.protocol}//.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw refusal('A URL must not contain a user name or password. Put the secret into a header instead.');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) !== 0) {
    if (isInternalAddress(host)) throw internal(host);
    return url;
  }
  if (isInternalName(host)) throw internal(host);
  const addresses = await resolve(host).catch((cause: unknown) => {
    throw new AppError('invalid_input', `Cannot find the host ${host}. Check its spelling.`, { cause });
  });
  if (addresses.length === 0)
    throw new AppError('invalid_input', `The host ${host} has no address. Check its spelling.`);
  if (addresses.some(isInternalAddress)) throw internal(host);
  return url;
}

/**
 * The `lookup` of a connection that must not reach an internal address, even if the name resolves differently by now.
 */
export const publicLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, found) => {
    const [first] = found ?? [];
    if (error) callback(error, '', 0);
    else if (!first || found.some(({ address }) => isInternalAddress(address))) callback(internal(host), '', 0);
    else if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  });
};

async function resolveHost(host: string): Promise<string[]> {
  return (await resolveName(host, { all: true })).map(({ address }) => address);
}

function refusal(message: string): AppError {
  return new AppError('forbidden', message);
}

// Do not reveal the resolved address: that would help to map the network.
function internal(host: string): AppError {
  return refusal(
    `${host} is an internal address, which a tool call may not add. The owner can add the server to mcpServers in sluice.yaml, or set gateway.allowInternalUrls.`,
  );
}

/** Whether a host name belongs to a local network, judged by the name alone. */
export function isInternalName(host: string): boolean {
  const labels = host.toLowerCase().split('.');
  return labels.length === 1 || ['localhost', 'local', 'internal', 'home', 'lan', 'arpa'].includes(labels.at(-1) ?? '');
}

const reserved4 = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8], // this host
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT, and Alibaba's metadata at 100.100.100.200
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, and the metadata service of most clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments, and Oracle's metadata
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
] as const) {
  reserved4.addSubnet(network, prefix, 'ipv4');
}
// Azure's platform address looks public, but is not.
reserved4.addAddress('168.63.129.16', 'ipv4');

// In IPv6 only global unicast is public, minus ranges that embed IPv4 addresses or are reserved.
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');
const reserved6 = new BlockList();
for (const [network, prefix] of [
  ['2001::', 23], // protocol assignments, Teredo among them
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['3fff::', 20], // documentation
] as const) {
  reserved6.addSubnet(network, prefix, 'ipv6');
}

/** Whether an IP address is not a public one. */
export function isInternalAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '');
  if (isIP(bare) === 4) return reserved4.check(bare, 'ipv4');
  return !global6.check(bare, 'ipv6') || reserved6.check(bare, 'ipv6');
}
