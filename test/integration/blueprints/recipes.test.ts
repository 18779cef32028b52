import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import { type BlueprintCalls, blueprintCalls } from '../../support/blueprints.ts';
import { callTool, connectV2, startGateway, startReference, type TestGateway, textOf } from '../harness.ts';

type Json = Record<string, unknown>;

interface Saved {
  readonly text: string;
  readonly inputs: readonly string[];
  readonly replaced: readonly string[];
  readonly findings?: readonly Json[];
}

interface Recent {
  readonly calls: readonly { call: number; tool: string; arguments?: string; failed?: string; note?: string }[];
}

const keyFor = async ({ runtime }: TestGateway, name: string) => {
  const grant = { name, scopes: ['admin'], createdAt: new Date().toISOString(), createdBy: 'test' };
  const { key } = await createKey(runtime.store.keys, grant);
  return { authorization: `Bearer ${key}` };
};

const tools = async (client: BlueprintCalls) =>
  (await client.call<Recent>('recipe_recent')).calls.map(({ tool }) => tool).toReversed();

describe('recipes', () => {
  it('are saved from a conversation and run again with another value', async () => {
    await using reference = await startReference('http', 'both');
    await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
    await using client = await blueprintCalls(gateway);
    await client.call('memory_store', { text: 'acme uses the blue cluster', tags: ['acme'] });
    await client.call('graph_call', {
      tool: 'create_entities',
      params: { entities: [{ name: 'acme', type: 'team', observations: ['Pays ${100} a month'] }] },
    });
    await client.call('ref__echo', { text: 'Welcome, acme!' });
    await client.call('gateway_status');
    expect(await tools(client)).toEqual(['memory_store', 'graph_create_entities', 'ref__echo']);

    const saved = await client.call<Saved>('recipe_save', { name: 'onboard', last: 3, inputs: { team: 'acme' } });
    expect(saved.findings).toBeUndefined();
    expect(saved.inputs).toEqual(['team']);
    expect(saved.replaced).toContain('ref__echo.text: Welcome, ${inputs.team}!');

    // The plan lists every step with the input filled in, and nothing is done before it is confirmed.
    const asked = client.call('recipe_run', { name: 'onboard', inputs: { team: 'globex' } });
    await expect(asked).rejects.toThrow('Welcome, globex!');
    await expect(asked).rejects.toThrow('memory_store');
    const run = await client.confirmed<Json>('recipe_run', {
      name: 'onboard',
      inputs: { team: 'globex' },
      run_id: 'g-1',
    });
    expect(run).toMatchObject({
      state: 'succeeded',
      progress: { done: 3, total: 3 },
      outputs: { result: 'Welcome, globex!' },
    });
    expect(await client.call('graph_get_entities', { names: ['globex'] })).toMatchObject({
      entities: [{ name: 'globex', observations: ['Pays ${100} a month'] }],
    });
    // The calls of a run are not those of the conversation, and the same run_id is the same run.
    expect(await tools(client)).toEqual(['memory_store', 'graph_create_entities', 'ref__echo', 'graph_get_entities']);
    const again = await client.call<Json>('recipe_run', { name: 'onboard', inputs: { team: 'globex' }, run_id: 'g-1' });
    expect(again.run).toBe(run.run);

    await expect(client.call('recipe_run', { name: 'onboard' })).rejects.toThrow('team');
    await expect(client.call('recipe_save', { name: 'onboard', last: 1 })).rejects.toThrow('replace: true');
    await expect(client.call('recipe_save', { name: 'b', last: 9 })).rejects.toThrow('Only 4 of your calls');
    await expect(client.call('recipe_save', { name: 'b', last: [77] })).rejects.toThrow('no call 77');
    await client.call('blueprint_save', {
      text: 'name: mine\nsteps:\n  - { id: look, tool: gateway_status, arguments: {} }\n',
    });
    await expect(client.call('recipe_save', { name: 'mine', last: 1 })).rejects.toThrow('name of a blueprint');
    await expect(client.call('recipe_show', { name: 'mine' })).rejects.toThrow('is a blueprint');
    expect(await client.call('recipe_list_recipes')).toMatchObject({
      recipes: [{ name: 'onboard', inputs: ['team'], steps: 3 }],
    });
    const { definitions } = await client.call<{ definitions: Json[] }>('blueprint_list_definitions', {
      query: 'onboard',
    });
    expect(definitions).toContainEqual(expect.objectContaining({ name: 'onboard', kind: 'recipe' }));
    expect(await client.call('recipe_show', { name: 'onboard' })).toMatchObject({
      saved_by: 'local',
      text: saved.text,
    });
    expect(await client.confirmed('recipe_delete', { name: 'onboard' })).toEqual({ name: 'onboard', deleted: true });
    await expect(client.call('recipe_show', { name: 'onboard' })).rejects.toThrow('no recipes yet');
  });

  it('use results of earlier calls, and run reads without asking', async () => {
    await using gateway = await startGateway({});
    await using client = await blueprintCalls(gateway);
    const { id } = await client.call<{ id: string }>('memory_store', { text: 'The office closes at five' });
    await client.call('memory_get', { id });
    const saved = await client.call<Saved>('recipe_save', { name: 'note', last: 2, inputs: ['text'] });
    expect(saved.text).toContain('${steps.memory_store.result.id}');
    expect(saved.text).not.toContain(id);
    const run = await client.confirmed('recipe_run', { name: 'note', inputs: { text: 'Lunch is at noon' } });
    expect(JSON.stringify(run)).toContain('Lunch is at noon');
    await client.call('recipe_save', { name: 'look', last: [2] });
    expect(await client.call('recipe_run', { name: 'look' })).toMatchObject({ state: 'succeeded' });
  });

  it('show a caller only the calls of its own key and session', async () => {
    await using reference = await startReference('http', 'both');
    await using gateway = await startGateway({ auth: { mode: 'keys' }, mcpServers: { ref: reference.entry } });
    const [ana, bob] = [await keyFor(gateway, 'ana'), await keyFor(gateway, 'bob')];
    await using first = await blueprintCalls(gateway, ana);
    await using second = await blueprintCalls(gateway, ana);
    await using other = await blueprintCalls(gateway, bob);
    await using modern = await connectV2(gateway, { headers: ana, era: 'modern' });
    await first.call('ref__echo', { text: 'one' });
    await second.call('ref__echo', { text: 'two' });
    const seen = async (client: BlueprintCalls) =>
      (await client.call<Recent>('recipe_recent')).calls.map((one) => one.arguments);
    expect(await seen(first)).toEqual(['{"text":"one"}']);
    expect(await seen(second)).toEqual(['{"text":"two"}']);
    expect(await seen(other)).toEqual([]);
    await expect(other.call('recipe_save', { name: 'theirs', last: 1 })).rejects.toThrow('no calls to save');
    await callTool(modern, 'ref__echo', { text: 'three' });
    const recent = await callTool(modern, 'recipe_recent');
    expect((recent.structuredContent as Recent).calls.map((one) => one.arguments)).toEqual(['{"text":"three"}']);
  });

  it('are not made of what the status of a project asks', async () => {
    await using gateway = await startGateway({});
    await using client = await blueprintCalls(gateway);
    await client.call('memory_store', { text: 'The shop is open' });
    await client.call('project_create', { name: 'Shop' });
    await client.call('project_add', { project: 'Shop', kind: 'memory', name: 'default' });
    expect(await client.call('project_status', { name: 'Shop' })).toMatchObject({ state: 'ok' });
    expect(await tools(client)).toEqual(['memory_store', 'project_create', 'project_add', 'project_status']);
  });

  it('never store or show a secret', async () => {
    const secret = 'tr0ub4dor&3-correct';
    await using reference = await startReference('http', 'both');
    await using gateway = await startGateway({
      mcpServers: { ref: reference.entry },
      events: { arguments: true },
    });
    await using client = await blueprintCalls(gateway);
    await client.call('ref__echo', { text: 'signs in', password: secret });
    await client.call('ref__echo', { text: 'harmless' });
    const recent = await client.call<Recent>('recipe_recent');
    expect(recent.calls.at(-1)?.arguments).toBe('{"text":"signs in","password":"[secret]"}');
    const saved = await client.call<Saved>('recipe_save', { name: 'sign-in', last: 2 });
    expect(saved.inputs).toEqual(['password (secret)']);
    // What was a secret in one call of the conversation is one everywhere.
    const described = client.call('recipe_save', { name: 'told', last: 1, description: `with ${secret}` });
    await expect(described).rejects.toThrow(/^The recipe would contain a secret/);
    const run = await client.confirmed('recipe_run', { name: 'sign-in', inputs: { password: secret } });
    expect(run).toMatchObject({ state: 'succeeded' });
    const events = JSON.stringify((await gateway.stored({ limit: 1000 })).events);
    expect(events).toContain('recipe_save');
    for (const text of [recent, saved, run].map((one) => JSON.stringify(one)).concat(events))
      expect(text).not.toContain(secret);
    const shown = await client.call('recipe_show', { name: 'sign-in' });
    expect(JSON.stringify(shown)).not.toContain(secret);
    const bytes = readdirSync(gateway.home, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
    expect(bytes.some((text) => text.includes('sign-in'))).toBe(true);
    for (const text of bytes) expect(text).not.toContain(secret);
  });

  it('survive hostile calls', async () => {
    await using reference = await startReference('http', 'both');
    await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
    await using client = await connectV2(gateway, { capabilities: {} });
    const ask = async (tool: string, args: Json) => textOf(await callTool(client, tool, args));
    let deep: unknown = 1;
    for (let depth = 0; depth < 200; depth++) deep = { deep };
    await ask('ref__echo', { text: 'proto', extra: JSON.parse('{"__proto__":{"polluted":1}}') });
    await ask('ref__echo', { text: 'deep', extra: deep });
    await ask('ref__echo', { text: 'x'.repeat(1_000_000) });
    await ask('__proto__', {}).catch(() => {});
    const { calls } = JSON.parse(await ask('recipe_recent', {})) as Recent;
    expect(calls.map(({ call, note = '' }) => [call, note.includes('too large')])).toEqual([
      [3, true],
      [2, false],
      [1, false],
    ]);
    expect(await ask('recipe_save', { name: 'h', last: [1] })).toContain('__proto__');
    expect(await ask('recipe_save', { name: 'h', last: [2] })).toContain('nested more than');
    expect(await ask('recipe_save', { name: 'h', last: [3] })).toContain('too large');
    expect(await ask('recipe_save', { name: 'h', last: [3], inputs: JSON.parse('{"__proto__":"x"}') })).not.toBe('');
    expect({}).not.toHaveProperty('polluted');
  });

  it('are switched off, or give their name to a server', async () => {
    await using reference = await startReference('http', 'both');
    await using gateway = await startGateway({ recipes: false, mcpServers: { ref: reference.entry } });
    await using client = await connectV2(gateway, {});
    await expect(callTool(client, 'recipe_recent')).rejects.toThrow('Unknown tool');
    await gateway.reload({ mcpServers: { recipe: reference.entry } });
    await using other = await blueprintCalls(gateway);
    await vi.waitFor(() => other.call('recipe__echo', { text: 'mine' }));
    await gateway.reload({ mcpServers: { ref: reference.entry } });
    expect(await tools(other)).toEqual(['recipe__echo']);
  });
});
