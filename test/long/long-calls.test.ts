import { expect, it } from 'vitest';
import { callTool, startGateway, startReference, textOf } from '../integration/harness.ts';
import { connect, ways } from '../support/eras.ts';

const MS = 70_000;

it(
  'a silent call outlives 60 s, whichever way it comes in and goes out',
  async () => {
    await using owned = new AsyncDisposableStack();
    const mcpServers: Record<string, object> = {};
    for (const [transport, era] of ways) {
      mcpServers[`${transport}-${era}`] = owned.use(await startReference(transport, era)).entry;
    }
    const gateway = owned.use(await startGateway({ mcpServers }));
    const calls = await Promise.all(
      ways.map(async ([transport, era]) => {
        const client = owned.use(await connect(gateway, era, { transport }));
        return Object.keys(mcpServers).map((server) =>
          callTool(client, `${server}__slow`, { ms: MS }, { timeout: 2 * MS }).then(textOf),
        );
      }),
    );
    const answers = await Promise.all(calls.flat());
    expect(answers).toEqual(Array.from({ length: ways.length ** 2 }, () => `slow ${MS}`));
  },
  3 * MS,
);
