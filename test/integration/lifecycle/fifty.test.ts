import { expect, test } from 'vitest';
import { type LocalReference, startGateway, startReference, textOf } from '../harness.ts';
import { backendOf, call, statusOf, toolNames } from '../../support/plain-calls.ts';
import { odd, scratch } from '../../support/processes.ts';
import { silentServer } from './silent-server.ts';

const PROGRAMS = 14;
const URLS = 26;

test('fifty backends, ten of them broken in five ways: forty work, and nothing is left', {
  timeout: 90_000,
}, async () => {
  await using files = await scratch();
  await using silent = await silentServer();
  await using far = new AsyncDisposableStack();
  const roll = ['--roll', files.roll];
  const mcpServers: Record<string, object> = {};
  // Put the broken servers first, where they could delay the others most.
  for (const twin of ['a', 'b']) {
    mcpServers[`exits_${twin}`] = odd(...roll, '--exits', '1');
    mcpServers[`mute_${twin}`] = { ...odd(...roll, '--never-initializes'), timeout: '2s' };
    mcpServers[`noise_${twin}`] = { ...odd(...roll, '--garbage-only'), timeout: '2s' };
    mcpServers[`missing_${twin}`] = { command: 'no-such-command' };
    mcpServers[`silent_${twin}`] = { url: `${silent.url}/mcp`, timeout: '2s' };
  }
  const broken = Object.keys(mcpServers);
  for (let index = 0; index < PROGRAMS; index++) mcpServers[`program_${index}`] = odd(...roll);
  const references: LocalReference[] = [];
  for (let index = 0; index < URLS; index++) {
    const reference = far.use(await startReference('http', index % 2 === 0 ? 'legacy' : 'modern'));
    references.push(reference);
    mcpServers[`url_${index}`] = reference.entry;
  }
  const working = Object.keys(mcpServers).filter((name) => !broken.includes(name));
  expect([working.length, broken.length]).toEqual([40, 10]);
  {
    const begun = performance.now();
    await using gateway = await startGateway({ mcpServers });
    expect(performance.now() - begun).toBeLessThan(25_000);
    expect((await fetch(`${gateway.url}/ready`)).status).toBe(200);

    const { backends } = await statusOf(gateway.url);
    expect(backends).toHaveLength(50);
    for (const { name, state, lastError } of backends) {
      if (working.includes(name)) expect(state, name).toBe('RUNNING');
      else expect(lastError?.message, name).toBeDefined();
    }
    const listed = new Set((await toolNames(gateway.url)).map((name) => name.split('__')[0]));
    expect([...listed].filter((source) => broken.includes(source ?? ''))).toEqual([]);

    // Keep calling while the broken servers are retried.
    const retried = files.started().length + 6;
    for (let round = 0; round < 3 || files.started().length < retried; round++) {
      const answers = await Promise.all(
        working.map(async (name) => {
          const asked = performance.now();
          const answer = textOf(await call(gateway.url, `${name}__echo`, { text: `${name} ${round}` }));
          expect(performance.now() - asked, name).toBeLessThan(8000);
          return answer;
        }),
      );
      expect(answers).toEqual(working.map((name) => `${name} ${round}`));
    }
    // At most the current attempt of each broken program.
    await expect.poll(async () => (await files.left()).length).toBeLessThanOrEqual(PROGRAMS + 6);
    for (const name of working) expect((await backendOf(gateway.url, name))?.restarts, name).toBe(0);
  }
  await expect.poll(() => files.left()).toEqual([]);
  await expect.poll(() => silent.open()).toBe(0);
});
