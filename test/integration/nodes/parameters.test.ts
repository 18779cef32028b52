import { describe, expect, test } from 'vitest';
import { getNodeProperty } from '../../../src/nodes/tools/get-node-property.ts';
import { getNodeVersions } from '../../../src/nodes/tools/get-node-versions.ts';
import type { Json } from '../../../src/kernel/source.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';
import { caller, replyBytes } from '../../support/node-tools.ts';

interface Found {
  node: string;
  total: number;
  parameters: { path: string; shown_when?: string[]; options?: string[] }[];
  hint?: string;
  warning?: string;
  cursor?: string;
}

interface Versions {
  versions: number[];
  latest: number;
  from?: number;
  to?: number;
  total: number;
  changes: { change: string; path: string; detail: string }[];
  summary: string;
  cursor?: string;
}

describe.skipIf(catalogueIsMissing)('parameters of a node', () => {
  const catalogue = catalogueIsMissing === undefined ? testCatalogue() : (undefined as never);
  const find = (args: Json) => caller(catalogue)<Found>(getNodeProperty, args);
  const versions = (args: Json) => caller(catalogue)<Versions>(getNodeVersions, args);

  test('are found by words, at any depth', async () => {
    const { parameters } = await find({ node: 'n8n-nodes-base.httpRequest', query: 'timeout' });
    expect(parameters[0]).toMatchObject({ path: 'options.timeout', type: 'number' });
    const thread = await find({ node: 'EXTERNAL_ACTION.SLACK', query: 'reply broadcast' });
    expect(thread.parameters[0]).toMatchObject({
      path: expect.stringMatching(/thread_ts\..*reply_broadcast$/) as string,
    });
    expect(thread.parameters[0]?.shown_when?.join()).toMatch(/resource is message/);
  });

  test('a corrected name gives a warning, an unknown node an error with advice, no match no parameters', async () => {
    expect((await find({ node: 'http-request', query: 'method' })).warning).toMatch(/^Auto-corrected/);
    await expect(find({ node: '__proto__', query: 'x' })).rejects.toThrow(/There is no node '__proto__'/);
    await expect(find({ node: 'n8n-nodes-base.if', query: 'x', version: 99 })).rejects.toThrow(/no version 99/);
    expect(await find({ node: 'n8n-nodes-base.if', query: 'zzzz' })).toMatchObject({ total: 0, parameters: [] });
  });

  test('come in pages below 8 KB', async () => {
    const args = { node: 'n8n-nodes-base.slack', query: 'channel' };
    const paths: string[] = [];
    let page = await find(args);
    for (;;) {
      expect(replyBytes()).toBeLessThan(8192);
      paths.push(...page.parameters.map(({ path }) => path));
      if (page.cursor === undefined) break;
      page = await find({ ...args, cursor: page.cursor });
    }
    expect(paths).toHaveLength(page.total);
    await expect(find({ ...args, query: 'user', cursor: 'eA' })).rejects.toThrow(/cursor/);
  });

  test('differ between versions, and by default the latest two are compared', async () => {
    const webhook = await versions({ node: 'n8n-nodes-base.webhook', from: 1, to: 2 });
    expect(webhook.changes).toEqual(
      expect.arrayContaining([expect.objectContaining({ change: 'removed', path: 'responseCode' })]),
    );
    const latest = await versions({ node: 'n8n-nodes-base.webhook' });
    expect(latest).toMatchObject({ to: latest.latest, from: latest.versions.at(-2) });
    await expect(versions({ node: 'n8n-nodes-base.webhook', from: 1.5 })).rejects.toThrow(/no version 1.5/);
  });

  test('every node can be compared from its first version to its latest, below 8 KB', async () => {
    for (const { name, versions: all, latest } of catalogue.nodes()) {
      const answer = await versions({ node: name, from: all[0], to: latest });
      expect(answer.total, name).toBeGreaterThanOrEqual(answer.changes.length);
      expect(replyBytes(), name).toBeLessThan(8192);
    }
  });
});
