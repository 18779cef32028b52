import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyCompletion, readStream, readWhole } from './completion.ts';

const chunk = (content: string, more: object = {}, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'gen-1', model: 'a/b', choices: [{ delta: { content }, finish_reason: finish }], ...more })}\n\n`;

async function* pieces(text: string, at: readonly number[] = []) {
  const bytes = Buffer.from(text);
  const cuts = [0, ...at.map((one) => one % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  for (const [index, from] of cuts.entries()) yield bytes.subarray(from, cuts[index + 1] ?? bytes.length);
}

async function read(text: string, at?: readonly number[]) {
  const so = emptyCompletion();
  await readStream(pieces(text, at), so, () => {});
  return so;
}

const usage = { prompt_tokens: 5, completion_tokens: 2, cost: 0.25, total_tokens: 7 };
const whole = [
  ': OPENROUTER PROCESSING\n\n',
  chunk('Grüß '),
  ': OPENROUTER PROCESSING\n\n',
  chunk('dich 😀', { provider: 'Acme' }),
  chunk('', {}, 'stop'),
  `data: ${JSON.stringify({ id: 'gen-1', choices: [], usage })}\n\n`,
  'data: [DONE]\n\n',
].join('');

test('reads a stream, wherever it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(2000), { maxLength: 6 }), async (at) => {
      expect(await read(whole, at)).toMatchObject({
        text: 'Grüß dich 😀',
        id: 'gen-1',
        model: 'a/b',
        provider: 'Acme',
        finish: 'stop',
        usage: { cost: 0.25 },
        isWhole: true,
      });
    }),
    { numRuns: 40 },
  );
});

test('stops at an error, and keeps what came before', async () => {
  const so = await read(
    `${chunk('half')}data: {"error":{"code":502,"message":"gone"},"choices":[]}\n\n${chunk('more')}`,
  );
  expect(so).toMatchObject({ text: 'half', failure: { code: 502, message: 'gone' }, isWhole: false });
});

test('is not whole if the stream just ends', async () => {
  expect(await read(chunk('half'))).toMatchObject({ text: 'half', isWhole: false });
  expect(await read('')).toMatchObject({ text: '', isWhole: false });
  expect(await read(whole.replace('data: [DONE]\n\n', ''))).toMatchObject({ isWhole: true });
});

test.each(['data: <html>\n\n', 'data: []\n\n', 'data: 7\n\n', 'data: {"choices":[\n\n'])('refuses %j', async (text) => {
  await expect(read(text)).rejects.toThrow('not what OpenRouter documents');
});

test('ignores fields that are odd', async () => {
  const odd = 'data: {"id":null,"model":7,"choices":[{"delta":{"content":null}}],"usage":null,"error":null}\n\n';
  expect(await read(odd + whole)).toMatchObject({ text: 'Grüß dich 😀', isWhole: true });
});

test('reads an answer without a stream', () => {
  const so = emptyCompletion();
  readWhole(JSON.stringify({ id: 'x', choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }], usage }), so);
  expect(so).toMatchObject({ text: 'Hi', isWhole: true, usage: { cost: 0.25 } });
});

test('stops a stream that never ends', async () => {
  async function* endless() {
    for (;;) yield Buffer.from(chunk('x'.repeat(100_000)));
  }
  await expect(readStream(endless(), emptyCompletion(), () => {})).rejects.toThrow('more than 2 million characters');
});
