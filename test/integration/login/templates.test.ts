import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import type { Principal } from '../../../src/kernel/principal.ts';
import { serveStream } from '../../../src/wire/stream.ts';
import { duplexPair } from 'node:stream';
import { connectClient } from '../../../src/cli/client.ts';
import {
  type CallResult,
  callTool,
  connectV2,
  modern,
  send,
  startGateway,
  startReference,
  type TestGateway,
  textOf,
} from '../harness.ts';
import { as, serve } from '../../support/served-wire.ts';

const printer = fileURLToPath(new URL('../../fixtures/environment-server.ts', import.meta.url));

/** Connects a client as this principal. */
function connectAs(gateway: TestGateway, principal: Principal) {
  const [near, far] = duplexPair();
  const { service } = gateway.runtime.apis.gateway;
  serveStream({ input: far, output: far, service, principal, view: {}, id: principal.id });
  return connectClient(near, '1.0.0');
}

it('headers carry the caller, and a name cannot inject a header', async () => {
  await using reference = await startReference('http', 'both');
  await using gateway = await startGateway({
    mcpServers: {
      ref: {
        ...reference.entry,
        isolation: 'principal',
        headers: {
          'X-User': '${principal.id}',
          'X-Name': 'name ${principal.name}',
          'X-Mail': '${principal.attributes.email:-none}',
        },
      },
    },
  });
  const people: Principal[] = [
    { id: 'a', name: 'Ana', scopes: 'all', attributes: { email: 'ana@example.com' } },
    { id: 'b', name: 'Bén\r\nX-Admin: yes 東', scopes: 'all' },
  ];
  const seen: Record<string, string>[] = [];
  for (const principal of people) {
    await using client = await connectAs(gateway, principal);
    const answer = await client.call('ref__whoami', {});
    const [{ text }] = ('result' in answer ? answer.result.content : []) as [{ text: string }];
    seen.push((JSON.parse(text) as { headers: Record<string, string> }).headers);
  }
  expect(seen[0]).toMatchObject({ 'x-user': 'a', 'x-name': 'name Ana', 'x-mail': 'ana@example.com' });
  expect(seen[1]).toMatchObject({ 'x-user': 'b', 'x-mail': 'none' });
  expect(seen[1]?.['x-name']).toBe('name B%C3%A9n%0D%0AX-Admin: yes %E6%9D%B1');
  expect(seen[1]).not.toHaveProperty('x-admin');
});

it('environment variables and arguments carry the caller, with one process per caller', async () => {
  await using gateway = await startGateway({
    auth: { mode: 'keys' },
    mcpServers: {
      env: {
        command: process.execPath,
        args: [printer, '--for', '${principal.name}'],
        env: { WHO: '${principal.name}' },
        isolation: 'principal',
      },
    },
  });
  for (const name of ['ana', 'ben; rm -rf /']) {
    const grant = { name, scopes: ['admin'], createdAt: new Date().toISOString(), createdBy: 'test' };
    const { key } = await createKey(gateway.runtime.store.keys, grant);
    await using client = await connectV2(gateway, { headers: { authorization: `Bearer ${key}` } });
    const { who, args } = JSON.parse(textOf(await callTool(client, 'env__who'))) as { who: string; args: string[] };
    expect({ who, args }).toEqual({ who: name, args: ['--for', name] });
  }
});

it("a caller without a required attribute gets an error, not another caller's connection", async () => {
  await using reference = await startReference('http', 'both');
  await using gateway = await startGateway({
    mcpServers: {
      ref: { ...reference.entry, isolation: 'principal', headers: { 'X-Mail': '${principal.attributes.email}' } },
    },
  });
  await using client = await connectAs(gateway, { id: 'b', scopes: 'all', attributes: {} });
  const answer = await client.call('ref__whoami', {});
  expect(JSON.stringify(answer)).toContain('principal.attributes.email');
  expect(JSON.stringify(answer)).toContain('yours is not known');
});

it.each(['principal', 'session'] as const)(
  'isolation: %s sends the current attributes of a caller, and reuses a connection with equal attributes',
  async (isolation) => {
    await using reference = await startReference('http', 'legacy');
    await using gateway = await startGateway({
      mcpServers: {
        ref: {
          ...reference.entry,
          isolation,
          headers: { 'X-Mail': '${principal.attributes.email}', 'X-Name': '${principal.name}' },
        },
      },
    });
    const people: Record<string, Partial<Principal>> = {};
    await using wire = await serve(gateway, { people });
    const lanes = () => gateway.runtime.apis.gateway.backend('ref')?.lanes.all().length;
    const toldOf = async (email: string, name: string) => {
      people.ada = { name, attributes: { sub: 'ada', email } };
      const { headers, body } = modern('tools/call', { name: 'ref__whoami', arguments: {} });
      const { messages } = await send(wire.mcp, { headers: { ...headers, ...as('ada') }, body });
      const told = JSON.parse(textOf(messages.at(-1)?.result as CallResult)) as { headers: Record<string, string> };
      return [told.headers['x-mail'], told.headers['x-name']];
    };
    expect(await toldOf('ada@old.example', 'Ada')).toEqual(['ada@old.example', 'Ada']);
    expect(await toldOf('ada@new.example', 'Ada')).toEqual(['ada@new.example', 'Ada']);
    expect(await toldOf('ada@new.example', 'Countess')).toEqual(['ada@new.example', 'Countess']);
    const open = lanes();
    expect(await toldOf('ada@old.example', 'Ada')).toEqual(['ada@old.example', 'Ada']);
    expect(lanes()).toBe(open);
  },
);
