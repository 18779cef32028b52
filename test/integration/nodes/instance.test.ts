import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createN8nClient } from '../../../src/n8n/client/client.ts';
import { instanceTypes } from '../../../src/n8n/nodes/instance-types.ts';
import { buildCatalogue } from '../../../src/nodes/build/build.ts';
import type { Catalogue } from '../../../src/nodes/catalogue.ts';
import { openCatalogue } from '../../../src/nodes/catalogues/open.ts';
import { PINNED_N8N } from '../../../src/nodes/which-n8n.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing, startN8n, type TestN8n } from '../../support/n8n.ts';
import { differences } from './differences.ts';

/** Known differences, and why. */
const known = {
  // Texts of tool variants: ours differ from n8n's.
  'properties.descriptionType.options.Set Automatically.description': 'ours',
  'properties.descriptionType.options.Set Manually.description': 'ours',
  'properties.toolDescription.description': 'ours',
  'summary description': 'ours, for variants that ask a person',
  description: 'ours',
  subtitle: 'ours',
  'properties.message.default': 'ours',
  'properties.message.description': 'ours',
  // Two fields that restrict where n8n may send a credential.
  'credential properties[+allowedHttpRequestDomains,+allowedDomains]': 'added by n8n when it starts',
};

describe.skipIf(n8nIsMissing ?? catalogueIsMissing)('the catalogue of a running n8n', () => {
  let n8n: TestN8n;
  let folder: string;
  let instance: Catalogue;

  const client = (more: object = {}) => createN8nClient('default', { url: n8n.url, timeoutMs: 30_000, ...more });

  beforeAll(async () => {
    n8n = await startN8n();
    folder = await mkdtemp(join(tmpdir(), 'sluice-instance-'));
    const types = await instanceTypes(client({ login: n8n.owner })).types?.();
    if (!types) throw new Error('No types despite a login.');
    const file = join(folder, 'instance.sqlite');
    buildCatalogue({ ...types, from: 'instance', n8n: PINNED_N8N }, file);
    instance = openCatalogue(file);
  }, N8N_START_MS);

  afterAll(async () => {
    instance?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('equals the catalogue of its packages, except for the known differences', () => {
    const { 'only in the first': left, ...found } = differences(testCatalogue(), instance);
    // Off by default because they run commands or read files, or used only for n8n's own tests.
    expect(left).toEqual(
      [
        'dynamicCredentialCheck',
        'e2eTest',
        'executeCommand',
        'localFileTrigger',
        'e2eTestTool',
        'executeCommandTool',
      ].map((name) => `n8n-nodes-base.${name}`),
    );
    const tools = (what: string) => found[what]?.every((where) => / ?\w*Tool( [\d.]+)?$/.test(where));
    for (const what of Object.keys(known)) {
      expect(found).toHaveProperty([what]);
      if (!what.startsWith('credential ')) expect(tools(what)).toBe(true);
    }
    expect(Object.keys(found).filter((what) => !Object.hasOwn(known, what))).toEqual([]);
  });

  it('has no broken nodes', () => {
    expect(instance.origin.broken).toEqual([]);
  });

  it('has the version that the instance reports, with a login and without', async () => {
    expect(await instanceTypes(client({ login: n8n.owner })).version()).toBe(PINNED_N8N);
    expect(await instanceTypes(client({ apiKey: n8n.apiKey })).version()).toBe(PINNED_N8N);
    expect(instanceTypes(client({ apiKey: n8n.apiKey })).types).toBeUndefined();
  });
});
