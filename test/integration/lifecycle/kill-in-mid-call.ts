import { expect } from 'vitest';
import { startGateway, textOf } from '../harness.ts';
import { backendOf, call, errorOf, toolNames } from '../../support/plain-calls.ts';
import { odd, scratch } from '../../support/processes.ts';

/**
 * Kills a backend in the middle of a call, this many times in a row. Each time the caller must get an error at once,
 * every tool must stay listed, and the next call must work as soon as there is a new process. The time limits allow for
 * a busy machine. Returns the processes that are left over.
 */
export async function killInMidCall(rounds: number): Promise<number[]> {
  await using files = await scratch();
  {
    await using gateway = await startGateway({
      mcpServers: {
        victim: odd('--roll', files.roll, '--journal', files.path('journal')),
        bystander: odd('--roll', files.roll),
      },
    });
    const listed = await toolNames(gateway.url);
    const bystander = gateway.runtime.apis.gateway.backend('bystander')?.pids;
    for (let round = 1; round <= rounds; round++) {
      const before = gateway.runtime.apis.gateway.backend('victim')?.pids[0] as number;
      const hanging = call(gateway.url, 'victim__hang_write').then((result) => ({ result, at: performance.now() }));
      await expect.poll(() => files.lines('journal').at(-1)).toBe(`${before} hang_write`);

      const killed = performance.now();
      process.kill(before, 'SIGKILL');
      const told = await hanging;
      expect(told.at - killed, `round ${round}: told`).toBeLessThan(4000);
      expect(told.result.isError).toBe(true);
      expect(errorOf(told.result)).toMatchObject({ code: 'unavailable', retryable: true });
      expect(textOf(told.result)).toContain('SIGKILL');
      expect(await toolNames(gateway.url)).toEqual(listed);

      const next = await call(gateway.url, 'victim__echo', { text: `round ${round}` });
      expect(performance.now() - killed, `round ${round}: next call`).toBeLessThan(8000);
      expect(textOf(next)).toBe(`round ${round}`);
      expect(gateway.runtime.apis.gateway.backend('victim')?.pids).not.toContain(before);
    }
    expect(await backendOf(gateway.url, 'victim')).toMatchObject({ state: 'RUNNING', restarts: rounds });
    expect(gateway.runtime.apis.gateway.backend('bystander')?.pids).toEqual(bystander);
    await expect.poll(() => files.left()).toHaveLength(2);
  }
  expect(files.started()).toHaveLength(rounds + 2);
  return files.left();
}
