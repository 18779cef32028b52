/** The usual checks, against the services that they are about. */
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { withoutCatalogue } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing, startN8n } from '../../support/n8n.ts';
import { createDatabase, postgresIsMissing } from '../../support/postgres.ts';
import { hook, line, picky } from '../../support/workflows.ts';
import { type AnyClient, callTool, connectV2, type Json, startGateway, textOf } from '../harness.ts';

async function done(client: AnyClient, tool: string, args: Json): Promise<Json> {
  const result = await callTool(client, tool, args);
  if (result.isError === true) expect.unreachable(`${tool} refused: ${textOf(result)}`);
  return result.structuredContent as Json;
}

/** The lines of the status, by the names of the items. */
async function statusOf(client: AnyClient, name: string): Promise<Json> {
  const { items } = await done(client, 'project_status', { name });
  return Object.fromEntries(
    (items as { name: string; state: string; seen: string }[]).map((item) => [item.name, [item.state, item.seen]]),
  );
}

test.skipIf(postgresIsMissing)('a schema of PostgreSQL is counted, by a module of any name', async () => {
  await using database = await createDatabase();
  const pg = new Client({ connectionString: database.url });
  await pg.connect();
  await pg.query('CREATE SCHEMA shop; CREATE TABLE shop.orders (id int); CREATE TABLE shop.customers (id int)');
  await pg.end();
  await using gateway = await startGateway({
    modules: { postgres: { url: database.url }, 'postgres-two': { type: 'postgres', url: database.url } },
  });
  await using client = await connectV2(gateway);
  await done(client, 'project_create', { name: 'p' });
  for (const name of ['shop', 'postgres-two/shop', 'nothing'])
    await done(client, 'project_add', { project: 'p', kind: 'database', name });
  expect(await statusOf(client, 'p')).toEqual({
    shop: ['ok', '2 tables'],
    'postgres-two/shop': ['ok', '2 tables'],
    nothing: ['warning', 'no tables, or no such schema'],
  });
});

describe.skipIf(n8nIsMissing)('a workflow of n8n', () => {
  test(
    'is a draft, then published, then it fails; by its id and by its name',
    async () => {
      const n8n = await startN8n();
      await using gateway = await startGateway({
        n8n: { default: { url: n8n.url, apiKey: n8n.apiKey } },
        nodes: withoutCatalogue,
      });
      await using client = await connectV2(gateway);
      // Sixteen characters, as an id has.
      const name = `ps_${Date.now()}`;
      const body = line(hook(`projects-test-${Date.now()}`), picky());
      const { workflow } = (await done(client, 'n8n_create_workflow', { name, ...body, validate: 'off' })) as {
        workflow: { id: string };
      };
      const { id } = workflow;
      try {
        await done(client, 'project_create', { name: 'p' });
        await done(client, 'project_add', { project: 'p', kind: 'workflow', name: id });
        await done(client, 'project_add', { project: 'p', kind: 'workflow', name });
        await done(client, 'project_add', { project: 'p', kind: 'workflow', name: `${name} not` });
        const missing = ['failing', 'no workflow has this name, or it is archived'];
        const all = (line: string[]) => ({ [id]: line, [name]: line, [`${name} not`]: missing });
        expect(await statusOf(client, 'p')).toEqual(all(['warning', 'not published']));
        await done(client, 'n8n_publish_workflow', { id, validate: 'off' });
        expect(await statusOf(client, 'p')).toEqual(all(['ok', 'published; no runs yet']));
        await done(client, 'n8n_execute_workflow', { id, data: {} });
        const good = await statusOf(client, 'p');
        expect(good[id]).toEqual(['ok', expect.stringMatching(/^published; last run: success \(2/)]);
        await callTool(client, 'n8n_execute_workflow', { id, data: { fail: 'on purpose' } });
        const bad = await statusOf(client, 'p');
        expect(bad[id]).toEqual(['failing', expect.stringMatching(/^published; last run: error/)]);
        expect(bad[name]).toEqual(bad[id]);
      } finally {
        const asked = await callTool(client, 'n8n_delete_workflow', { id });
        const confirm = /"?confirm"?: "([^"]+)"/.exec(textOf(asked))?.[1] ?? '';
        await callTool(client, 'n8n_delete_workflow', { id, confirm });
      }
    },
    N8N_START_MS,
  );
});
