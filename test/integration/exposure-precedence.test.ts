import { expect, it } from 'vitest';
import { localOwner } from '../../src/kernel/principal.ts';
import type { View } from '../../src/wire/service.ts';
import { startGateway, startReference, type TestGateway } from './harness.ts';

function listed({ runtime }: TestGateway, view: View = {}): string[] {
  return runtime.apis.gateway.visibility.projection({ view, principal: localOwner }).tools.map(({ name }) => name);
}

it('the most specific setting decides how tools are listed: URL, toolset, server, gateway', async () => {
  await using reference = await startReference('http', 'both');
  const only = { ...reference.entry, tools: { include: ['echo'] } };
  await using gateway = await startGateway({
    gateway: { expose: 'search' },
    mcpServers: { plain: only, shown: { ...only, expose: 'flat' } },
    toolsets: { both: { include: ['plain__*', 'shown__*'], expose: 'compact' } },
  });

  expect(listed(gateway)).toContain('shown__echo');
  expect(listed(gateway)).toContain('find_tools');
  expect(listed(gateway)).not.toContain('plain__echo');
  expect(listed(gateway, { toolset: 'both' })).toEqual(['plain_list', 'plain_call', 'shown_list', 'shown_call']);
  expect(listed(gateway, { toolset: 'both', expose: 'flat' })).toEqual(['plain__echo', 'shown__echo']);
});

it('names each near miss once', async () => {
  await using reference = await startReference('http', 'both');
  await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
  const names = [...gateway.runtime.apis.gateway.visibility.projection({ view: {}, principal: localOwner }).names()];
  expect(names).toEqual([...new Set(names)]);
});

it('the wrappers of a source take at most 600 bytes, however long its description', async () => {
  await using reference = await startReference('http', 'both');
  const long = {
    ...reference.entry,
    expose: 'compact',
    description: 'for „trying“ one thing after the other '.repeat(9),
  };
  const names = ['a', 'postgres-production', 'a-name-as-long-as-a-name-can-possibly-be'];
  await using gateway = await startGateway({ mcpServers: Object.fromEntries(names.map((name) => [name, long])) });
  const { tools } = gateway.runtime.apis.gateway.visibility.projection({ view: {}, principal: localOwner });
  for (const name of names) {
    const wrappers = tools.filter((tool) => tool.name.startsWith(`${name}_`));
    expect(wrappers.map((tool) => tool.name)).toEqual([`${name}_list`, `${name}_call`, `${name}_read`]);
    expect(wrappers[0]?.description).toMatch(/^Finds tools/);
    expect(Buffer.byteLength(JSON.stringify(wrappers))).toBeLessThanOrEqual(600);
  }
});

it('the wrappers of a compact source say what the server is for', async () => {
  await using reference = await startReference('http', 'both');
  const entry = { ...reference.entry, expose: 'compact', description: 'for trying things out' };
  await using gateway = await startGateway({ mcpServers: { ref: entry } });
  const { tools } = gateway.runtime.apis.gateway.visibility.projection({ view: {}, principal: localOwner });
  const wrappers = tools.filter(({ name }) => ['ref_list', 'ref_call'].includes(name));
  expect(wrappers.map(({ description }) => description)).toEqual([
    'Finds tools for ref_call. for trying things out',
    undefined,
  ]);
});
