import { expect, onTestFinished, test, type TestContext } from 'vitest';
import { call } from '../support/exchange.ts';
import { serve, type ServeProcess } from '../support/serve-process.ts';
import { type SmallDisk, smallDisk } from '../support/small-disk.ts';
import { send } from '../integration/harness.ts';

const config = { nodes: { build: 'manual' } };

function disk(context: TestContext): SmallDisk {
  const made = smallDisk(6 * 1024 * 1024);
  if (!made) context.skip('mounting is not permitted');
  onTestFinished(() => made?.[Symbol.dispose]());
  return made;
}

async function start({ path }: SmallDisk): Promise<ServeProcess> {
  const started = await serve(path, config);
  await started.ready();
  return started;
}

const readiness = async ({ url }: ServeProcess) => JSON.parse((await send(`${url}/ready`)).text) as unknown;
const status = async ({ url }: ServeProcess) =>
  (await call(`${url}/mcp`, 'gateway_status')).result.structuredContent as { state: string; problems: string[] };

test('a gateway starts on a full disk, serves, says what it cannot do, and frees itself', async (context) => {
  const full = disk(context);
  expect(await (await start(full)).end('SIGTERM')).toBe(0);
  full.fill();
  await using gateway = await start(full);
  expect((await status(gateway)).problems.join()).toContain('Only 0 MB are free');
  // What is left of the room is used up, and calls go on.
  await expect
    .poll(() => status(gateway).then(() => readiness(gateway)), { timeout: 60_000, interval: 5 })
    .toEqual({ status: 'ready', store: 'not writable' });
  expect(await status(gateway)).toMatchObject({
    state: 'failed',
    problems: expect.arrayContaining([expect.stringContaining('its disk is full')]) as string[],
  });
  full.free();
  await expect.poll(() => readiness(gateway)).toEqual({ status: 'ready' });
  expect((await status(gateway)).state).not.toBe('failed');
  full.fill();
  expect(await gateway.end('SIGTERM')).toBe(0);
  full.fill();
  await using again = await start(full);
  expect(await readiness(again)).toMatchObject({ status: 'ready' });
});
