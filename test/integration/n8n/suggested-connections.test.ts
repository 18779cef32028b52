import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connections } from '../../../src/n8n/client/shapes.ts';
import { suggestConnections } from '../../../src/nodes/tools/suggest-connections.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { caller } from '../../support/node-tools.ts';
import { make } from '../../support/workflows.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';

interface Example {
  nodes: { name: string; type: string; typeVersion: number; parameters?: Record<string, unknown> }[];
  connections: Connections;
}

const ai = (name: string) => `@n8n/n8n-nodes-langchain.${name}`;

const asked: [node: string, parameters?: Record<string, unknown>][] = [
  ['n8n-nodes-base.if'],
  ['n8n-nodes-base.splitInBatches'],
  ['n8n-nodes-base.switch', { mode: 'expression', numberOutputs: 4 }],
  ['n8n-nodes-base.merge', { numberInputs: 3 }],
  ['n8n-nodes-base.compareDatasets'],
  [ai('agent'), { hasOutputParser: true, needsFallback: true }],
  [ai('vectorStoreInMemory'), { mode: 'insert' }],
  [ai('vectorStoreInMemory'), { mode: 'retrieve-as-tool' }],
  [ai('chainRetrievalQa')],
  [ai('outputParserStructured')],
  [ai('memoryBufferWindow')],
  ['n8n-nodes-base.slackTool'],
  ['n8n-nodes-base.webhook', { httpMethod: ['GET', 'POST'], multipleMethods: true }],
];

describe.skipIf(n8nIsMissing ?? catalogueIsMissing)('the connections of an example', () => {
  let bench: Workbench;
  beforeAll(async () => {
    bench = await openWorkbench([]);
  }, N8N_START_MS);
  afterAll(() => bench?.[Symbol.asyncDispose]());

  test.each(asked)('are accepted by n8n unchanged: %s %o', async (node, parameters = {}) => {
    const { example } = await caller(testCatalogue())<{ example: Example }>(suggestConnections, { node, parameters });
    const nodes = example.nodes.map((one, place) => ({
      parameters: {},
      ...one,
      id: crypto.randomUUID(),
      position: [place * 200, 0] as [number, number],
    }));
    const name = `${node} ${JSON.stringify(parameters)}`.slice(0, 100);
    const made = await make(bench, name, { nodes, connections: example.connections }, { publish: false });
    expect(made.connections).toEqual(example.connections);
  });
});
