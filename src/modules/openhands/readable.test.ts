import { expect, test } from 'vitest';
import { event } from './answers.ts';
import { read, readable } from './readable.ts';

const of = (given: object) => event.parse({ id: 'e', timestamp: '2026-01-31T14:00:00', source: 'agent', ...given });

test.each([
  [
    { kind: 'MessageEvent', llm_message: { role: 'user', content: [{ type: 'text', text: 'Hi' }, { type: 'image' }] } },
    { what: 'message', text: 'Hi' },
  ],
  [
    {
      kind: 'ActionEvent',
      tool_name: 'terminal',
      thought: [{ type: 'text', text: 'Look' }],
      action: { kind: 'TerminalAction', command: 'ls' },
    },
    { what: 'terminal', text: 'Look\n$ ls' },
  ],
  [
    {
      kind: 'ActionEvent',
      tool_name: 'file_editor',
      thought: [],
      action: { kind: 'FileEditorAction', command: 'view', path: '/a', old_str: null },
    },
    { what: 'file_editor', text: 'view /a' },
  ],
  [
    { kind: 'ActionEvent', tool_name: 'finish', action: { kind: 'FinishAction', message: 'Done.' } },
    { what: 'message', text: 'Done.' },
  ],
  [
    {
      kind: 'ActionEvent',
      tool_name: 'browse',
      summary: 'Opens it',
      action: { kind: 'X', url: 'http://x', more: null },
    },
    { what: 'browse', text: 'Opens it\n{"url":"http://x"}' },
  ],
  [
    {
      kind: 'ObservationEvent',
      tool_name: 'terminal',
      observation: { content: [{ type: 'text', text: 'no' }], exit_code: 1 },
    },
    { what: 'result of terminal', text: 'no', exit_code: 1, failed: true },
  ],
  [
    { kind: 'ConversationErrorEvent', code: 'LLM', detail: 'quota' },
    { what: 'error', text: 'LLM: quota', failed: true },
  ],
  [
    { kind: 'AgentErrorEvent', tool_name: 'x', error: 'bad' },
    { what: 'error', text: 'bad', failed: true },
  ],
  [{ kind: 'ConversationStateUpdateEvent', key: 'a', value: {} }, undefined],
  [{ kind: 'SomethingNew' }, undefined],
])('%j', (given, expected) => {
  expect(read(of(given))).toEqual(expected);
});

test('long texts are cut visibly', () => {
  const long = of({ kind: 'AgentErrorEvent', error: 'x'.repeat(5000) });
  expect(readable(long, 300)).toMatchObject({
    id: 'e',
    who: 'agent',
    text: expect.stringContaining('(5000 characters)') as string,
  });
});
