import { as, attack, type AttackClass, everyMode, reach, reached, type Scene, type Wire } from '../attack.ts';

const credential = (scene: Scene) =>
  scene
    .as('owner')
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

/** A complete request, hidden behind or inside another one. It must never be executed. */
function hidden(scene: Scene, tag: string): string {
  const body = reach(tag);
  return `POST /mcp HTTP/1.1\r\nHost: ${new URL(scene.url).host}\r\nContent-Type: application/json\r\n${credential(scene)}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
}

/** Behind an ambiguous or wrong request line or headers. */
const behind: [string, string][] = [
  ['Content-Length and Transfer-Encoding', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['Transfer-Encoding and Content-Length', 'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n'],
  ['two lengths', 'Content-Length: 0\r\nContent-Length: 44\r\n\r\n'],
  ['a length with a sign', 'Content-Length: +0\r\n\r\n'],
  ['a length in hex', 'Content-Length: 0x0\r\n\r\n'],
  ['a negative length', 'Content-Length: -1\r\n\r\n'],
  ['a list of lengths', 'Content-Length: 0, 0\r\n\r\n'],
  ['a length with an underscore', 'Content_Length: 0\r\nContent-Length: 1_0\r\n\r\n'],
  ['a space before the colon', 'Content-Length : 0\r\n\r\n'],
  ['a tab before the colon', 'Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n'],
  ['a folded header', 'X-A: b\r\n Transfer-Encoding: chunked\r\n\r\n'],
  ['a folded Transfer-Encoding', 'Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n'],
  ['an unknown transfer coding', 'Transfer-Encoding: xchunked\r\n\r\n'],
  ['chunked, twice', 'Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n'],
  ['chunked, not last', 'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
  ['chunked in quotes', 'Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n'],
  ['a bare line feed in a header', 'X-A: b\nContent-Length: 0\r\n\r\n'],
  ['a bare carriage return in a header', 'X-A: b\rContent-Length: 0\r\n\r\n'],
  ['only line feeds', 'Content-Length: 0\n\n'],
  ['a NUL in a header', 'X-A: b\0c\r\n\r\n'],
  ['a NUL in the name of a header', 'X\0A: b\r\n\r\n'],
  ['a header without a name', ': b\r\n\r\n'],
  ['a header without a colon', 'Garbage\r\n\r\n'],
  ['a chunk size that is none', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n'],
  ['a chunk size too large to count', 'Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n\r\n'],
  ['a chunk size with a sign', 'Transfer-Encoding: chunked\r\n\r\n-0\r\n\r\n'],
  ['a chunk ended by a line feed', 'Transfer-Encoding: chunked\r\n\r\n0\n\n'],
  ['a chunk with an extension that has a line feed', 'Transfer-Encoding: chunked\r\n\r\n0;a\nb\r\n\r\n'],
];

const smuggled = behind.map(([name, head]) =>
  attack(
    `${name} before a second request`,
    everyMode,
    (scene, tag): Wire => ({
      bytes: `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${head}${hidden(scene, tag)}`,
      patience: 1500,
    }),
    reached,
  ),
);

const lines: [string, string][] = [
  ['a version that is none', 'POST /mcp HTTP/9.9'],
  ['a version of HTTP/2', 'PRI * HTTP/2.0'],
  ['no version', 'POST /mcp'],
  ['a method that is none', 'PO ST /mcp HTTP/1.1'],
  ['a path with a line feed', 'POST /mcp\nX: y HTTP/1.1'],
  ['a path with a NUL', 'POST /mcp\0 HTTP/1.1'],
  ['CONNECT', 'CONNECT 127.0.0.1:22 HTTP/1.1'],
  ['an asterisk', 'OPTIONS * HTTP/1.1'],
  ['a request line of 20 kB', `POST /${'x'.repeat(20_000)} HTTP/1.1`],
];

const wrongLines = lines.map(([name, line]) =>
  attack(
    `${name} before a second request`,
    everyMode,
    (scene, tag): Wire => ({ bytes: `${line}\r\nHost: localhost\r\n\r\n${hidden(scene, tag)}`, patience: 1500 }),
    // If the first request is valid, the second is ordinary pipelining, as good as sent alone.
    (reply, scene, tag) =>
      reply.statuses.length > 1 && reply.statuses[0] !== 400 ? undefined : reached(reply, scene, tag),
  ),
);

/** The first request is refused, and the second hides in its body. */
const inBody = [
  attack(
    'a request in the body of one without a credential',
    ['keys', 'oauth', 'both'],
    (scene, tag): Wire => {
      const body = hidden(scene, tag);
      return {
        bytes: `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        patience: 1500,
      };
    },
    reached,
  ),
  attack(
    'a request in the body of one with a wrong Host',
    everyMode,
    (scene, tag): Wire => {
      const body = hidden(scene, tag);
      return {
        bytes: `POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        patience: 1500,
      };
    },
    reached,
  ),
  attack(
    'a request in the body of an upgrade',
    everyMode,
    (scene, tag): Wire => {
      const body = hidden(scene, tag);
      return {
        bytes: `GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        patience: 1500,
      };
    },
    reached,
  ),
];

const sizes = [
  attack('20 kB of headers', everyMode, (scene, tag) =>
    as(scene, 'owner', { headers: [['X-Pad', 'x'.repeat(20_000)]], body: reach(tag) }),
  ),
  attack('3,000 headers', everyMode, (scene, tag) =>
    as(scene, 'owner', { headers: Array.from({ length: 3000 }, (_, n) => [`X-${n}`, '1'] as const), body: reach(tag) }),
  ),
  attack('a URL of 20 kB', everyMode, (scene, tag) =>
    as(scene, 'owner', { path: `/mcp?${'x'.repeat(20_000)}`, body: reach(tag) }),
  ),
  attack('a body announced as 17 MB', everyMode, (scene, tag) =>
    as(scene, 'owner', { body: reach(tag), length: String(17 * 1024 * 1024) }),
  ),
  attack('a body announced as more than can be counted', everyMode, (scene, tag) =>
    as(scene, 'owner', { body: reach(tag), length: '9007199254740993' }),
  ),
];

export const rawClass: AttackClass = {
  name: 'raw-requests',
  title: 'Raw and smuggled requests',
  attacks: [...smuggled, ...wrongLines, ...inBody, ...sizes],
  controls: [
    attack('the hidden request alone', everyMode, (scene, tag) => ({ bytes: hidden(scene, tag) }), reached),
    attack(
      'two requests on one connection, one after the other',
      everyMode,
      (scene, tag) => ({ bytes: `GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n${hidden(scene, tag)}` }),
      reached,
    ),
  ],
};
