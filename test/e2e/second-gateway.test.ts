import { expect, test } from 'vitest';
import { createPlace } from '../support/command-line.ts';

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'when the first gateway of a home ends (%s), the second takes over its commands',
  async (signal) => {
    await using place = await createPlace({});
    const status = async () => {
      const { code, stdout } = await place.run(['status', '--json']);
      return code === 0 ? (JSON.parse(stdout) as { url: string }).url : `exit ${code}`;
    };
    await using first = await place.serve();
    const before = await status();
    await using second = await place.serve();
    await second.printed('Another gateway of this data directory takes commands');
    // It does not take the socket from a live gateway.
    expect(await status()).toBe(before);

    first.child.kill(signal);
    await first.finished;
    await expect.poll(status, { timeout: 20_000 }).toMatch(/^http/);
    expect(await status()).not.toBe(before);
    const doctor = await place.run(['doctor']);
    expect(doctor.stdout).toContain((await status()).replace('/mcp', ''));

    // And a third gateway does not take it away.
    await using _third = await place.serve();
    const after = await status();
    second.child.kill('SIGTERM');
    await second.finished;
    await expect.poll(status, { timeout: 20_000 }).not.toBe(after);
  },
);
