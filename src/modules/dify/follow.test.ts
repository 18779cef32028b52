import { expect, test, vi } from 'vitest';
import type { Progress } from '../../kernel/progress.ts';
import { follow } from './follow.ts';
import { type StreamEvent, streamEvent } from './stream-event.ts';

async function* events(...given: object[]): AsyncGenerator<StreamEvent> {
  for (const event of given) {
    if (event instanceof Error) throw event;
    yield streamEvent.parse(event);
  }
}

function setup() {
  const progress = vi.fn<Progress>();
  const read = (...given: object[]) => follow(events(...given), { at: 'dify at here', progress });
  return { read, said: () => progress.mock.calls.map(([, , message]) => message) };
}

const run = { workflow_run_id: 'run-1' };

test('joins the parts of an answer', async () => {
  const { read, said } = setup();
  const result = await read(
    { event: 'message', answer: 'Hel', message_id: 'm', conversation_id: 'c' },
    { event: 'message', answer: 'lo' },
    { event: 'message_end', metadata: { usage: { total_tokens: 3, total_price: '0.1' } } },
  );
  expect(result).toMatchObject({ answer: 'Hello', message_id: 'm', conversation_id: 'c' });
  expect(result.metadata?.usage?.total_tokens).toBe(3);
  expect(said()).toEqual(['3 characters so far']);
});

test('an answer that is replaced by moderation, or repeated by an agent, is not doubled', async () => {
  const { read, said } = setup();
  const end = { event: 'message_end' };
  expect(
    await read({ event: 'message', answer: 'bad' }, { event: 'message_replace', answer: 'good' }, end),
  ).toMatchObject({ answer: 'good' });
  expect(
    await read(
      { event: 'agent_thought', tool: 'search', thought: 'hm' },
      { event: 'agent_message', answer: 'a' },
      { event: 'agent_message', answer: 'b' },
      { event: 'message', answer: 'ab' },
      end,
    ),
  ).toMatchObject({ answer: 'ab', tools: ['search'] });
  expect(said()).toContain('Uses search');
});

test('a workflow tells its nodes and gives its outputs', async () => {
  const { read, said } = setup();
  expect(
    await read(
      { event: 'workflow_started', ...run },
      { event: 'node_started', ...run, data: { title: 'Translate' } },
      { event: 'node_finished', ...run, data: { title: 'Translate', status: 'succeeded' } },
      { event: 'workflow_finished', ...run, data: { status: 'succeeded', outputs: { text: 'ja' } } },
    ),
  ).toMatchObject({ run_id: 'run-1', finished: { status: 'succeeded', outputs: { text: 'ja' } } });
  expect(said()).toEqual(['The workflow runs', 'Translate runs', 'Translate succeeded']);
});

test('a workflow that failed says which node did', async () => {
  const { read } = setup();
  const failed = { event: 'workflow_finished', ...run, data: { status: 'failed', error: 'boom' } };
  const node = { event: 'node_finished', ...run, data: { title: 'Fetch', status: 'failed', error: 'HTTP 500' } };
  await expect(read(node, failed)).rejects.toThrow('The workflow failed. Fetch failed: HTTP 500. Its run is run-1.');
  await expect(read(failed)).rejects.toThrow('The workflow failed. boom.');
  await expect(read(failed, new Error('told again'))).rejects.toThrow('The workflow failed. boom.');
});

test('a workflow that waits for a person says so', async () => {
  const { read } = setup();
  expect(
    await read(
      { event: 'human_input_required', ...run, data: { node_title: 'Approval', form_content: 'Please review.' } },
      { event: 'workflow_paused', ...run },
    ),
  ).toMatchObject({ waitsFor: 'Approval: Please review.' });
});

test('a stream that breaks off says where to look', async () => {
  const { read } = setup();
  await expect(read({ event: 'workflow_started', ...run }, new Error('aborted'))).rejects.toThrow(
    'dify at here broke off before the end. dify_get_run with the id run-1',
  );
  await expect(read({ event: 'message', answer: 'a', conversation_id: 'c' })).rejects.toThrow(
    'dify_list_messages with the conversation_id c',
  );
  await expect(read()).rejects.toThrow('dify at here broke off before the end.');
  await expect(read(new Error('connect ECONNREFUSED'))).rejects.toThrow('connect ECONNREFUSED');
});

test('an answer without end is stopped', async () => {
  const { read } = setup();
  const part = { event: 'message', answer: 'x'.repeat(1_500_000) };
  await expect(read(part, part)).rejects.toThrow('more than 2 million characters');
});
