import { beforeAll, describe, expect, it } from 'vitest';
import { validateWorkflow } from '../../../src/validation/validate.ts';
import { testCatalogue } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing, startN8n, type TestN8n } from '../../support/n8n.ts';
import { flow, node } from '../../validation/case.ts';

interface Question {
  readonly version: number;
  readonly mode: 'onReceived' | 'responseNode';
  /** Whether the workflow has a node that answers. */
  readonly answered: boolean;
}

const questions: readonly (Question & { readonly status: number; readonly ours: 'error' | 'warning' | 'nothing' })[] = [
  { version: 1, mode: 'onReceived', answered: true, status: 200, ours: 'warning' },
  { version: 1.1, mode: 'responseNode', answered: false, status: 200, ours: 'warning' },
  { version: 1.1, mode: 'responseNode', answered: true, status: 200, ours: 'nothing' },
  { version: 2, mode: 'onReceived', answered: true, status: 500, ours: 'error' },
  { version: 2, mode: 'responseNode', answered: false, status: 500, ours: 'error' },
];

const pathOf = ({ version, mode, answered }: Question) => `sluice-answers-${version}-${mode}-${answered}`;

function workflowOf(question: Question) {
  const path = pathOf(question);
  const hook = node(
    'Hook',
    'webhook',
    question.version,
    { path, responseMode: question.mode, options: {} },
    { webhookId: path },
  );
  const answer = node('Answer', 'respondToWebhook', 1.1, { respondWith: 'noData', options: {} });
  return question.answered
    ? flow([hook, answer], ['Hook -> Answer'])
    : flow([hook, node('Next', 'noOp', 1)], ['Hook -> Next']);
}

describe.skipIf(n8nIsMissing)('the answer of a webhook', () => {
  let n8n: TestN8n;
  beforeAll(async () => {
    n8n = await startN8n();
  }, N8N_START_MS);

  async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; id: string }> {
    const reply = await fetch(`${n8n.url}/api/v1${path}`, {
      method,
      headers: { 'X-N8N-API-KEY': n8n.apiKey, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: reply.status, id: ((await reply.json()) as { id: string }).id };
  }

  /** n8n reports a workflow as published a moment before it accepts calls. */
  async function statusOf(path: string): Promise<number> {
    for (;;) {
      const { status } = await fetch(`${n8n.url}/webhook/${path}`);
      if (status !== 404) return status;
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  it.each(questions)(
    'agrees with the validator: version $version, $mode, a node that answers: $answered',
    async ({ status, ours, ...question }) => {
      const workflow = workflowOf(question);
      const { id } = await ask('POST', '/workflows', workflow);
      try {
        expect((await ask('POST', `/workflows/${id}/activate`)).status).toBe(200);
        expect(await statusOf(pathOf(question))).toBe(status);
      } finally {
        await ask('POST', `/workflows/${id}/deactivate`);
        while ((await ask('DELETE', `/workflows/${id}`)).status === 409)
          await new Promise((done) => setTimeout(done, 50));
      }
      const { counts } = validateWorkflow(workflow, testCatalogue(), { only: ['webhooks'] });
      expect(counts.error > 0 ? 'error' : counts.warning > 0 ? 'warning' : 'nothing').toBe(ours);
    },
  );
});
