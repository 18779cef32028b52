import { expect, test } from 'vitest';
import { createPlace, reference } from '../support/command-line.ts';

test('sluice events --follow continues where it was after the gateway is killed and restarted', async () => {
  await using place = await createPlace({ mcpServers: { ref: reference } });
  const first = await place.serve();
  const following = place.start([
    'events',
    '--follow',
    '--type',
    'tool.call_completed',
    '--tool',
    'ref__echo',
    '--json',
  ]);
  const call = (text: string) => place.run(['call', 'ref__echo', `text=${text}`]);
  await call('one');
  await following.printed('tool.call_completed');
  first.child.kill('SIGKILL');
  await following.printed('The gateway stopped. Waiting for it');
  await using _second = await place.serve();
  // This call happens before or after the follower is back: either way it shows up exactly once.
  await call('two');
  await following.printed('The gateway is back.');
  await following.printed(/(?:tool\.call_completed[^]*){2}/);
  await call('three');
  await following.printed(/(?:tool\.call_completed[^]*){3}/);
  following.child.kill('SIGINT');
  const { code, stdout } = await following.finished;
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    const event = JSON.parse(line) as object;
    expect(Object.keys(event)).toEqual(['timestamp', 'trace_id', 'event_type', 'status', 'data']);
  }
}, 60_000);

test('sluice events and sluice usage show what happened, and refuse unknown values', async () => {
  await using place = await createPlace({ mcpServers: { ref: reference } });
  expect(await place.run(['events', '--follow'])).toMatchObject({ code: 3 });
  await using _served = await place.serve();
  await place.run(['call', 'ref__echo', 'text=hi']);
  const audit = await place.run(['events', '--audit']);
  expect(audit.stdout).toMatch(/gateway\.started/);
  expect(audit.stdout).not.toMatch(/tool\.call/);
  const none = await place.run(['events', '--tool', 'nonesuch']);
  expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'No such events.\n' });
  expect(await place.run(['events', '--status', 'odd'])).toMatchObject({ code: 1 });
  expect(await place.run(['events', '--follow', '--until', '1h'])).toMatchObject({ code: 2 });
  await expect.poll(async () => (await place.run(['usage'])).stdout, { timeout: 10_000 }).toMatch(/ref__echo +1 +0 +/);
  const bySource = JSON.parse((await place.run(['usage', '--by', 'source', '--json'])).stdout) as { by: string };
  expect(bySource).toMatchObject({ by: 'source', mostUsed: expect.arrayContaining([expect.anything()]) as unknown });
  expect(await place.run(['usage', '--by', 'colour'])).toMatchObject({ code: 2 });
  expect(await place.run(['usage', '--since', 'yesterday'])).toMatchObject({ code: 1 });
}, 60_000);
