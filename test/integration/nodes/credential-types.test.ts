import { describe, expect, test } from 'vitest';
import { credentialFields } from '../../../src/nodes/credentials/fields.ts';
import type { CredentialType } from '../../../src/nodes/description.ts';
import { listCredentialTypes } from '../../../src/nodes/tools/list-credential-types.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';
import { caller, replyBytes } from '../../support/node-tools.ts';

interface Types {
  types: {
    name: string;
    title: string;
    nodes: string[];
    generic?: boolean;
    required?: boolean;
    when?: Record<string, unknown[]>;
  }[];
  total: number;
  fields?: { name: string; type: string; required?: boolean; secret?: boolean; default?: unknown; when?: object }[];
  documentation?: string;
  warning?: string;
  cursor?: string;
}

describe.skipIf(catalogueIsMissing)('credential types', () => {
  const catalogue = catalogueIsMissing === undefined ? testCatalogue() : (undefined as never);
  const list = (args = {}) => caller(catalogue)<Types>(listCredentialTypes, args);

  test('a cursor leads through all of them', async () => {
    const names = new Set<string>();
    let cursor: string | undefined;
    let total = 0;
    do {
      const page = await list(cursor === undefined ? {} : { cursor });
      expect(replyBytes()).toBeLessThan(8192);
      for (const { name } of page.types) names.add(name);
      ({ cursor, total } = page);
    } while (cursor !== undefined);
    expect(names.size).toBe(total);
    expect(total).toBeGreaterThan(400);
  });

  test('a node lists its types with their conditions', async () => {
    const { types } = await list({ node: 'n8n-nodes-base.slack' });
    expect(types).toMatchObject([
      { name: 'slackApi', required: true, when: { authentication: ['accessToken'] } },
      { name: 'slackOAuth2Api', required: true, when: { authentication: ['oAuth2'] } },
    ]);
    expect(types[0]?.nodes).toContain('n8n-nodes-base.slackTrigger');
    expect(types[0]?.nodes).not.toContain('n8n-nodes-base.slackTool');
    expect(await list({ node: 'n8n-nodes-base.set' })).toMatchObject({ types: [], total: 0 });
  });

  test('a query finds types by a part of the name, generic ones first', async () => {
    const { types } = await list({ query: 'HEADER' });
    expect(types[0]).toMatchObject({ name: 'httpHeaderAuth', generic: true });
  });

  test('fields show what is secret, what is required, and defaults', async () => {
    const { fields } = await list({ name: 'postgres' });
    const field = (name: string) => fields?.find((one) => one.name === name);
    expect(field('password')).toMatchObject({ secret: true });
    expect(field('port')).toMatchObject({ type: 'number', default: 5432 });
    expect(field('ssl')).toMatchObject({
      options: expect.arrayContaining(['disable']),
      when: { allowUnauthorizedCerts: [false] },
    });
    expect(await list({ name: 'httpHeaderAuth' })).not.toHaveProperty('documentation');
  });

  test('inherited fields that a type sets itself are left out', async () => {
    const { fields = [] } = await list({ name: 'slackOAuth2Api' });
    const names = fields.map(({ name }) => name);
    expect(names).toContain('clientId');
    for (const settled of ['grantType', 'authUrl', 'accessTokenUrl', 'serverUrl']) expect(names).not.toContain(settled);
    expect(fields.find(({ name }) => name === 'clientSecret')).toMatchObject({ required: true, secret: true });
  });

  test('every type has fields that satisfy the schema, in a reply of at most 8 KB', async () => {
    for (const { name } of catalogue.credentialTypes()) {
      const { fields } = await list({ name });
      expect(fields, name).toBeDefined();
      expect(replyBytes(), name).toBeLessThan(8192);
    }
  });

  test('unknown names are refused with similar ones, and odd names are harmless', async () => {
    await expect(list({ name: 'slakApi' })).rejects.toThrow(/no credential type slakApi. Did you mean slackApi/);
    for (const name of ['__proto__', 'constructor', 'toString'])
      await expect(list({ name })).rejects.toThrow(/There is no/);
    await expect(list({ node: 'no such thing at all' })).rejects.toThrow(/search_nodes/);
    await expect(list({ cursor: 'nonsense' })).rejects.toThrow(/cursor/);
  });

  test('types that extend each other in a cycle do not loop forever', () => {
    const one: CredentialType = { name: 'one', displayName: 'One', extends: ['two'], properties: [text('a')] };
    const two: CredentialType = { name: 'two', displayName: 'Two', extends: ['one'], properties: [text('b')] };
    const types = new Map([
      ['one', one],
      ['two', two],
    ]);
    const circle = { ...catalogue, credentialType: (name: string) => types.get(name) };
    expect(credentialFields(circle, one).map(({ name }) => name)).toEqual(['b', 'a']);
  });
});

const text = (name: string) => ({ name, displayName: name, type: 'string', default: '' });
