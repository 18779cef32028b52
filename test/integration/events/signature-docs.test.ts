import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { signature } from '../../../src/events/envelope.ts';

const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
const code = /^```js\n(.*?)^```$/ms.exec(page)?.[1] ?? '';
const secret = 'the same as in sluice.yaml';

/** Runs the documented code for n8n's Code node with the input n8n gives it. */
async function codeNode(headers: Record<string, string>, body: string): Promise<unknown> {
  const make = Object.getPrototypeOf(async () => {}).constructor as FunctionConstructor;
  const run = new make('require', '$input', code) as (...given: unknown[]) => Promise<unknown>;
  const helpers = { getBinaryDataBuffer: async () => Buffer.from(body) };
  return run.call({ helpers }, createRequire(import.meta.url), { first: () => ({ json: { headers } }) });
}

const body = '{"delivery":"d","events":[{"id":"a-1","data":{"name":"Zoë"}}]}';
const now = () => String(Math.floor(Date.now() / 1000));
const headersAt = (time: string, signed = body) => ({
  'x-sluice-timestamp': time,
  'x-sluice-signature': signature(secret, time, signed),
});

test('the documented code accepts a signed delivery and returns one item per event', async () => {
  expect(await codeNode(headersAt(now()), body)).toEqual([{ json: { id: 'a-1', data: { name: 'Zoë' } } }]);
});

test('and refuses a delivery that was changed, is unsigned, or is old', async () => {
  await expect(codeNode(headersAt(now(), `${body} `), body)).rejects.toThrow('signature');
  await expect(codeNode({ 'x-sluice-timestamp': now() }, body)).rejects.toThrow('signature');
  await expect(codeNode({ ...headersAt(now()), 'x-sluice-timestamp': '1' }, body)).rejects.toThrow('signature');
  await expect(codeNode(headersAt('1700000000'), body)).rejects.toThrow('too old');
});
