import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectV2 } from '../integration/harness.ts';
import { N8N_START_MS, n8nIsMissing, startN8n } from '../support/n8n.ts';
import { createPlace } from '../support/command-line.ts';
import { ask, CLOSED, serving } from '../support/node-tour.ts';

test.skipIf(n8nIsMissing)(
  'with a login, the nodes are those of that n8n, and values are looked up there',
  async () => {
    const { url, apiKey, owner: login } = await startN8n();
    await using place = await createPlace({ n8n: { lab: { url, apiKey, login } } });
    // Nothing can be downloaded, and nothing has to be.
    const env = { SLUICE_CACHE: join(place.user, 'cache'), ...CLOSED };
    await using gateway = await serving(place, env);
    await using client = await connectV2(gateway, { era: 'modern' });
    const found = await ask(client, 'search_nodes', { query: 'data table' });
    expect(found.data.nodes).toContainEqual(expect.objectContaining({ name: 'n8n-nodes-base.dataTable' }));
    const tables = await ask(client, 'get_node_options', {
      node: 'dataTable',
      property: 'dataTableId',
      instance: 'lab',
    });
    expect(tables).toMatchObject({ isError: false, data: { from: 'n8n', values: expect.any(Array) } });
    const usage = await ask(client, 'n8n_read', { tool: 'n8n_find_node_usage', params: {} });
    expect(usage).toMatchObject({ isError: false, data: { types: expect.any(Array) } });
    const elsewhere = await ask(client, 'get_node_options', {
      node: 'dataTable',
      property: 'dataTableId',
      instance: 'x',
    });
    expect(elsewhere).toMatchObject({ isError: true, text: expect.stringContaining('lab') });
    expect(tables.text + usage.text + elsewhere.text).not.toContain(login.password);
  },
  N8N_START_MS,
);
