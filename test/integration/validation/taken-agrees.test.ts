import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validateWorkflow } from '../../../src/validation/validate.ts';
import { testCatalogue } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing, startN8n, type TestN8n } from '../../support/n8n.ts';
import { flow, node } from '../../validation/case.ts';
import { runs } from '../../support/n8n-answers.ts';

const start = node('Start', 'manualTrigger', 1);
const set = (name: string, value: string) =>
  node(name, 'set', 3.4, {
    assignments: { assignments: [{ id: 'a', name: 'x', type: 'string', value }] },
    options: {},
  });
const check = (name: string, condition: string) =>
  node(name, 'code', 2, { jsCode: `if (!(${condition})) throw new Error('not so');\nreturn $input.all();` });

/** Workflows that look odd but work as intended: n8n runs them, so they must not cause warnings. */
describe.skipIf(n8nIsMissing)('n8n runs, and the validator does not warn of', () => {
  let n8n: TestN8n;
  let server: Server;
  let model: string | undefined;

  beforeAll(async () => {
    n8n = await startN8n();
    server = createServer((request, response) => {
      request.resume();
      const isModel = request.url?.includes('/api/chat') === true;
      // Ollama answers with one line for each chunk.
      const said = { model: 'm', message: { role: 'assistant', content: 'Hello' }, done: true, done_reason: 'stop' };
      response.setHeader('content-type', isModel ? 'application/x-ndjson' : 'application/json');
      response.end(`${JSON.stringify(isModel ? said : { asked: request.url })}\n`);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    model = await credential('POST', '', { name: 'A model', type: 'ollamaApi', data: { baseUrl: place() } });
  }, N8N_START_MS);

  afterAll(async () => {
    if (model !== undefined) await credential('DELETE', `/${model}`);
    server?.close();
  });

  const place = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function credential(method: string, path: string, body?: object): Promise<string | undefined> {
    const reply = await fetch(`${n8n.url}/api/v1/credentials${path}`, {
      method,
      headers: { 'X-N8N-API-KEY': n8n.apiKey, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return ((await reply.json()) as { id?: string }).id;
  }

  const taken: readonly (readonly [string, () => ReturnType<typeof flow>])[] = [
    [
      'a space in the path of a URL',
      () =>
        flow(
          [
            start,
            node('Fetch', 'httpRequest', 4.2, { url: `${place()}/a b`, options: {} }),
            check('Check', "$json.asked === '/a%20b'"),
          ],
          ['Start -> Fetch', 'Fetch -> Check'],
        ),
    ],
    [
      'JavaScript-style JSON in Edit Fields',
      () =>
        flow(
          [
            start,
            node('Raw', 'set', 3.4, { mode: 'raw', jsonOutput: '={ a: {{ 1 }}, b: [2,], }', options: {} }),
            check('Check', '$json.a === 1 && $json.b.length === 1'),
          ],
          ['Start -> Raw', 'Raw -> Check'],
        ),
    ],
    [
      'Edit Fields that only removes fields',
      () =>
        flow(
          [
            start,
            set('Give', '1'),
            node('Take', 'set', 3.4, { includeOtherFields: true, include: 'except', excludeFields: 'x', options: {} }),
            check('Check', '$json.x === undefined'),
          ],
          ['Start -> Give', 'Give -> Take', 'Take -> Check'],
        ),
    ],
    [
      'a field of an unknown type',
      () =>
        flow(
          [
            start,
            node('Give', 'set', 3.4, {
              assignments: { assignments: [{ id: 'a', name: 'x', type: 'null', value: null }] },
              options: {},
            }),
            check('Check', '$json.x === null'),
          ],
          ['Start -> Give', 'Give -> Check'],
        ),
    ],
    [
      'an unconnected trigger next to a connected one',
      () =>
        flow(
          [
            start,
            set('Give', '1'),
            node('Clock', 'scheduleTrigger', 1.2, { rule: { interval: [{ field: 'hours' }] } }),
          ],
          ['Start -> Give'],
        ),
    ],
    [
      'an agent without its output parser, whose text is read',
      () =>
        flow(
          [
            start,
            node('Agent', 'ai:agent', 2, { promptType: 'define', text: 'Hi', hasOutputParser: true, options: {} }),
            node(
              'Model',
              'ai:lmChatOllama',
              1,
              { model: 'm', options: {} },
              {
                credentials: { ollamaApi: { id: model, name: 'A model' } },
              },
            ),
            set('Keep', '={{ $json.output }}'),
            check('Check', "$json.x === 'Hello'"),
          ],
          ['Start -> Agent', 'Model -ai_languageModel-> Agent', 'Agent -> Keep', 'Keep -> Check'],
        ),
    ],
    [
      'a deprecated node in a shared workflow',
      () =>
        flow(
          [
            start,
            node('Old', 'function', 1, { functionCode: 'items[0].json.a = 1;\nreturn items;' }),
            check('Check', '$json.a === 1'),
          ],
          ['Start -> Old', 'Old -> Check'],
        ),
    ],
  ];

  it.each(taken)('%s', async (what, made) => {
    const workflow = made();
    const [ran] = await runs(n8n, [{ workflow, from: 'Start' }]);
    expect(ran?.failure).toBeUndefined();
    expect(ran?.executed.size).toBeGreaterThan(1);
    const given = what.endsWith('shared workflow') ? { ...workflow, meta: { instanceId: 'a1b2c3' } } : workflow;
    const { findings } = validateWorkflow(given, testCatalogue());
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });
});
