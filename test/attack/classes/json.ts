import {
  as,
  attack,
  type AttackClass,
  either,
  everyMode,
  type Oracle,
  reach,
  reached,
  reachedOrAnswered,
  rpc,
  type Wire,
} from '../attack.ts';

/** Afterwards the gateway is alive, and none of its plain objects has what the attack tried to write. */
const harmed: Oracle = async (_, scene) => {
  const reply = await scene.send({ method: 'GET', path: '/health' });
  if (reply.status !== 200) return `the gateway no longer answers: ${reply.status}`;
  return reply.text.includes('polluted') ? 'every object was changed' : undefined;
};

const nested = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times);
const inArguments = (tag: string, more: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open__slow","arguments":{"ms":0,"tag":"${tag}",${more}}}}`;

/** Bodies that are not messages, or are excessive. */
const refused: [string, (tag: string) => string | Buffer][] = [
  ['10,000 nested lists', (tag) => inArguments(tag, `"x":${nested('[', ']', 10_000)}`)],
  ['10,000 nested objects', (tag) => inArguments(tag, `"x":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`)],
  ['200,000 nested lists', (tag) => inArguments(tag, `"x":${nested('[', ']', 200_000)}`)],
  ['nesting that is never closed', (tag) => inArguments(tag, `"x":${'['.repeat(100_000)}`)],
  ['an open text', (tag) => `${reach(tag)}"`],
  ['two messages', (tag) => `${reach(tag)}${reach(tag)}`],
  ['a line between', (tag) => `${reach(tag)}\n${reach(tag)}`],
  ['a comment', (tag) => `/* */${reach(tag)}`],
  ['a comma at the end', (tag) => `${reach(tag).slice(0, -1)},}`],
  ['single quotes', (tag) => reach(tag).replaceAll('"', "'")],
  ['NaN', (tag) => inArguments(tag, '"x":NaN')],
  ['Infinity', (tag) => inArguments(tag, '"x":Infinity')],
  ['a number in hex', (tag) => inArguments(tag, '"x":0x10')],
  ['a number with a zero before it', (tag) => inArguments(tag, '"x":010')],
  ['invalid UTF-8', (tag) => Buffer.concat([Buffer.from(reach(tag).slice(0, -1)), Buffer.from([0xff, 0xfe, 0x7d])])],
  ['UTF-16', (tag) => Buffer.from(reach(tag), 'utf16le')],
  ['a line feed in a text', (tag) => inArguments(tag, '"x":"a\nb"')],
  ['no version', (tag) => reach(tag).replace('"jsonrpc":"2.0",', '')],
  ['another version', (tag) => reach(tag).replace('"2.0"', '"1.0"')],
  ['an id that is null', (tag) => reach(tag).replace('"id":1', '"id":null')],
  ['an id that is an object', (tag) => reach(tag).replace('"id":1', '"id":{}')],
  ['an id that is a fraction', (tag) => reach(tag).replace('"id":1', '"id":1.5e400')],
  ['a method that is a list', (tag) => reach(tag).replace('"tools/call"', '["tools/call"]')],
  ['a method in capitals', (tag) => reach(tag).replace('tools/call', 'TOOLS/CALL')],
  ['a method with a space', (tag) => reach(tag).replace('tools/call', 'tools/call ')],
  [
    'params that are a list',
    (tag) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["open__slow",{"ms":0,"tag":"${tag}"}]}`,
  ],
  ['params that are a text', (tag) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"open__slow ${tag}"}`],
  ['a name that is a list', (tag) => reach(tag).replace('"open__slow"', '["open__slow"]')],
  ['a name that is an object', (tag) => reach(tag).replace('"open__slow"', '{"toString":"open__slow"}')],
  ['a batch of nothing', () => '[]'],
  ['a batch of numbers', () => '[1,2,3]'],
  ['a batch in a batch', (tag) => `[[${reach(tag)}]]`],
  ['a batch of today', (tag) => `[${reach(tag)},${reach(tag)}]`],
  ['a body of 17 MB', (tag) => inArguments(tag, `"x":"${'x'.repeat(17 * 1024 * 1024)}"`)],
];

const wire = (bytes: string | Buffer, path = '/mcp'): Wire => ({
  path,
  body: typeof bytes === 'string' ? bytes : bytes.toString('latin1'),
});

/** A body that is not text has to be sent byte by byte. */
function sent(scene: Parameters<typeof as>[0], bytes: string | Buffer, path = '/mcp'): Wire {
  const version = bytes.toString('latin1').startsWith('[') ? [['MCP-Protocol-Version', '2025-11-25'] as const] : [];
  if (typeof bytes === 'string') return as(scene, 'owner', { ...wire(bytes, path), headers: version });
  const headers = scene.as('owner').map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST ${path} HTTP/1.1\r\nHost: ${new URL(scene.url).host}\r\nConnection: close\r\nContent-Type: application/json\r\n${headers.join('')}Content-Length: ${bytes.length}\r\n\r\n`;
  return { bytes: Buffer.concat([Buffer.from(head), bytes]) };
}

const bodies = refused.map(([name, build]) =>
  attack(name, everyMode, (scene, tag) => sent(scene, build(tag)), either(reachedOrAnswered, harmed)),
);

const restBodies: [string, (tag: string) => string][] = [
  ['a name that is a list', (tag) => JSON.stringify({ name: ['open__slow'], arguments: { ms: 0, tag } })],
  ['arguments that are a list', (tag) => JSON.stringify({ name: 'open__slow', arguments: [0, tag] })],
  ['arguments that are a text', (tag) => JSON.stringify({ name: 'open__slow', arguments: tag })],
  [
    'a method that is another',
    (tag) => JSON.stringify({ jsonrpc: '2.0', method: 'tools/list', name: 'open__slow', arguments: { tag } }),
  ],
  ['a confirmation that is true', (tag) => JSON.stringify({ name: 'ask__write', arguments: { tag }, confirm: true })],
  ['a batch', (tag) => JSON.stringify([{ name: 'open__slow', arguments: { ms: 0, tag } }])],
  [
    '10,000 nested lists',
    (tag) => `{"name":"open__slow","arguments":{"ms":0,"tag":"${tag}","x":${nested('[', ']', 10_000)}}}`,
  ],
  ['nothing', () => ''],
];
const rest = restBodies.map(([name, build]) =>
  attack(
    `REST: ${name}`,
    everyMode,
    (scene, tag) => sent(scene, build(tag), '/api/v1/mcp/invoke'),
    either(reachedOrAnswered, harmed),
  ),
);

/** A valid message that must change nothing but what it says. */
const polluting: [string, (tag: string) => string | Buffer][] = [
  ['invalid UTF-8 in a text', (tag) => Buffer.from(inArguments(tag, '"x":"\xff\xc0\xaf"'), 'latin1')],
  ['an overlong slash', (tag) => Buffer.from(inArguments(tag, '"x":"\xc0\xaf"'), 'latin1')],
  ['__proto__ in the arguments', (tag) => inArguments(tag, '"__proto__":{"polluted":"yes"}')],
  [
    'constructor.prototype in the arguments',
    (tag) => inArguments(tag, '"constructor":{"prototype":{"polluted":"yes"}}'),
  ],
  [
    '__proto__ in the params',
    () => '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"__proto__":{"polluted":"yes"}}}',
  ],
  [
    '__proto__ in the message',
    () => '{"jsonrpc":"2.0","id":1,"method":"tools/list","__proto__":{"polluted":"yes","method":"x"}}',
  ],
  [
    '__proto__ in _meta',
    () => '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"__proto__":{"polluted":"yes"}}}}',
  ],
  ['__proto__ as the name', () => rpc('tools/call', { name: '__proto__', arguments: { polluted: 'yes' } })],
  ['constructor as the method', () => rpc('constructor', { polluted: 'yes' })],
  ['__proto__ as the method', () => rpc('__proto__')],
  [
    'hasOwnProperty that is a text',
    (tag) => inArguments(tag, '"hasOwnProperty":"x","toString":"y","valueOf":1,"toJSON":"z"'),
  ],
  ['a lone surrogate', (tag) => inArguments(tag, '"x":"\\ud800"')],
  ['a huge number', (tag) => inArguments(tag, '"x":1e999,"y":123456789012345678901234567890')],
  ['a key of 1 MB', (tag) => inArguments(tag, `"${'k'.repeat(1_000_000)}":1`)],
  ['100,000 keys', (tag) => inArguments(tag, Array.from({ length: 100_000 }, (_, n) => `"k${n}":${n}`).join())],
  ['an id of 1 MB', () => rpc('tools/list', {}, 'x'.repeat(1_000_000))],
  ['a method of 1 MB', () => rpc('x'.repeat(1_000_000))],
  [
    'capabilities that are a list',
    () => rpc('initialize', { protocolVersion: '2025-11-25', capabilities: ['__proto__'], clientInfo: null }),
  ],
  ['a client without a name', () => rpc('initialize', { protocolVersion: 42, capabilities: null, clientInfo: 'x' })],
];
const pollution = polluting.map(([name, build]) =>
  attack(name, everyMode, (scene, tag) => sent(scene, build(tag)), harmed),
);

/** A duplicate key must not mean one thing to the check and another to the action. */
const twice = [
  attack(
    'a name that comes twice',
    ['keys', 'oauth', 'both'],
    (scene, tag) =>
      as(scene, 'narrow', {
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open__slow","name":"vault__write","arguments":{"tag":"${tag}"}}}`,
      }),
    (_, { around }, tag) =>
      around.vault.journal.some((line) => line.includes(tag)) ? 'the vault was called' : undefined,
  ),
  attack(
    'a name that comes twice, the other way round',
    ['keys', 'oauth', 'both'],
    (scene, tag) =>
      as(scene, 'narrow', {
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"vault__write","name":"open__slow","arguments":{"ms":0,"tag":"${tag}"}}}`,
      }),
    (_, { around }, tag) =>
      around.vault.journal.some((line) => line.includes(tag)) ? 'the vault was called' : undefined,
  ),
  attack(
    'a method that comes twice, with a header that names the first',
    ['keys', 'oauth', 'both'],
    (scene, tag) =>
      as(scene, 'reader', {
        headers: [
          ['MCP-Protocol-Version', '2026-07-28'],
          ['Mcp-Method', 'tools/list'],
        ],
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call","params":{"name":"open__slow","arguments":{"ms":0,"tag":"${tag}"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
      }),
    reached,
  ),
];

export const jsonClass: AttackClass = {
  name: 'json',
  title: 'JSON abuse',
  attacks: [...bodies, ...rest, ...pollution, ...twice],
  controls: [
    attack('a message as it should be', everyMode, (scene, tag) => sent(scene, reach(tag)), reachedOrAnswered),
    attack('the same as bytes', everyMode, (scene, tag) => sent(scene, Buffer.from(reach(tag))), reachedOrAnswered),
    attack(
      'the same by REST',
      everyMode,
      (scene, tag) =>
        sent(scene, JSON.stringify({ name: 'open__slow', arguments: { ms: 0, tag } }), '/api/v1/mcp/invoke'),
      reachedOrAnswered,
    ),
  ],
};
