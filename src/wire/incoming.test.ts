import { expect, test } from 'vitest';
import { receiveText } from './incoming.ts';
import type { Id } from './jsonrpc.ts';
import { idInEnds } from './link.ts';

/** What a text leads to: messages (and whether their text was kept), failures, noise, and whether the request was answered. */
function received(text: string, origin?: Id) {
  const heard: string[] = [];
  const answered = receiveText(
    text,
    {
      message: (message, from, raw) =>
        heard.push(`message ${JSON.stringify(message)} of ${from} ${raw === text ? 'with' : 'without'} text`),
      failed: (id, error) => heard.push(`failed ${id}: ${error.message}`),
      noise: (what) => heard.push(`noise: ${what}`),
    },
    origin,
  );
  return { heard, answered };
}

const nested = '['.repeat(1000) + ']'.repeat(1000);

test('a message comes with its text, and says whether it is the answer', () => {
  const answer = '{"jsonrpc":"2.0","id":7,"result":{}}';
  expect(received(answer, 7)).toEqual({ heard: [`message ${answer} of 7 with text`], answered: true });
  expect(received(answer, 8).answered).toBe(false);
  expect(received(answer).answered).toBe(false);
  expect(received('{"jsonrpc":"2.0","method":"x"}', 7).answered).toBe(false);
});

test('messages of a batch arrive one by one', () => {
  const { heard, answered } = received('[{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":7,"result":{}}]', 7);
  expect(heard).toEqual([
    'message {"jsonrpc":"2.0","method":"x"} of 7 without text',
    'message {"jsonrpc":"2.0","id":7,"result":{}} of 7 without text',
  ]);
  expect(answered).toBe(true);
});

test('invalid messages are noise and do not affect the others', () => {
  expect(received('Server ready!').heard).toEqual(['noise: 13 characters that are not JSON']);
  expect(received('[42,{"jsonrpc":"2.0","method":"x"}]').heard).toHaveLength(2);
  expect(received('[]')).toEqual({ heard: [], answered: false });
});

test('an answer nested too deeply fails its request; anything else nested too deeply is noise', () => {
  const { heard, answered } = received(`{"jsonrpc":"2.0","id":7,"result":{"deep":${nested}}}`, 7);
  expect(heard).toEqual([
    "failed 7: The server's answer is nested more than 256 levels deep, so Sluice does not pass it on.",
  ]);
  expect(answered).toBe(true);
  expect(received(`{"jsonrpc":"2.0","method":"x","params":{"deep":${nested}}}`).heard).toEqual([
    'noise: a message that is nested too deeply',
  ]);
});

test.each([
  ['{"jsonrpc":"2.0","id":12,"result":{"a', '"}]}}', 12],
  ['{"id":12,"jsonrpc":"2.0","result":{', '}}', 12],
  ['{"result":{"content":[{"id":3', '"}]},"jsonrpc":"2.0","id":12}', 12],
  ['{"jsonrpc": "2.0", "id": 12, "result"', '}', 12],
  ['{"result":{"content":[', '{"id":3}]}}', undefined],
  ['{"jsonrpc":"2.0","method":"x","params":{', '"}}', undefined],
])('the id of a message too large to parse: %s … %s', (head, tail, id) => {
  expect(idInEnds(head, tail)).toBe(id);
});

test.each(['null', '5', '[]', '"done"'])('a result that is %s fails its request at once', (result) => {
  expect(received(`{"jsonrpc":"2.0","id":7,"result":${result}}`, 7)).toEqual({
    heard: [
      "failed 7: The server's answer to this request is not valid JSON-RPC: a response needs a result or an error object.",
    ],
    answered: true,
  });
  expect(received(`{"id":7,"result":${result}}`, 7).heard).toEqual([
    'noise: not a JSON-RPC message: jsonrpc must be "2.0"',
  ]);
});
