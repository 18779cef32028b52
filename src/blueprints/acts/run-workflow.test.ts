import { expect, test } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import type { Json, Outcome } from '../../kernel/source.ts';
import { runWorkflow } from './run-workflow.ts';

const away = (data: Json = {}, cause?: Error): Outcome => {
  const failed = new AppError('unavailable', 'n8n is away.', { data, ...(cause && { cause }) });
  return { failed, result: { isError: true, content: [{ type: 'text', text: failed.message }] } };
};
/** As fetch throws it. */
const failed = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
const refused = () => away({}, failed('ECONNREFUSED'));
const reset = () => away({}, failed('ECONNRESET'));
const given = (structuredContent: Json): Outcome => ({ result: { structuredContent } });

/** Runs a workflow in an n8n that answers the calls of each tool like this, one after the other. */
async function ran(answers: Readonly<Record<string, readonly Outcome[]>>) {
  const calls: string[] = [];
  const left = new Map(Object.entries(answers).map(([tool, all]) => [tool, [...all]]));
  const acting = {
    key: 'run:step',
    timeoutMs: 60_000,
    signal: AbortSignal.timeout(30_000),
    trace: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    principal: { id: 'ada', scopes: 'all' },
    mask: (text: string) => text,
  };
  const acted = await runWorkflow({ kind: 'workflow', workflow: 'Provision', input: {} }, acting as never, {
    call: async (tool) => {
      calls.push(tool.replace('n8n_', ''));
      return left.get(tool)?.shift() ?? given({});
    },
  });
  return { acted, calls };
}

const found = given({ workflows: [{ id: 'w1', name: 'Provision' }] });
const done = given({ status: 'success', answer: { status: 200, body: { made: 1 } } });

test('a step that begins while n8n restarts waits for it: nothing was sent', async () => {
  const { acted, calls } = await ran({
    n8n_list_workflows: [refused(), reset(), found],
    n8n_execute_workflow: [refused(), away({ notExecuted: true }), done],
  });
  expect(acted).not.toHaveProperty('error');
  expect(calls).toEqual([
    'list_workflows',
    'list_workflows',
    'list_workflows',
    'execute_workflow',
    'execute_workflow',
    'execute_workflow',
  ]);
});

test.each([
  ['a connection that broke', reset()],
  ['a proxy that answered 502', away({ status: 502 })],
  ['an execution that had begun', away({ begun: true }, failed('ECONNREFUSED'))],
])('what may have begun is not begun again: %s', async (_, answer) => {
  const { acted, calls } = await ran({ n8n_list_workflows: [found], n8n_execute_workflow: [answer, done] });
  expect(acted).toMatchObject({ error: 'n8n is away.' });
  expect(calls).toEqual(['list_workflows', 'execute_workflow']);
});
