import { describe, expect, it } from 'vitest';
import { callTool, startGateway, startReference, textOf } from '../harness.ts';
import { connect, eras, ways } from '../../support/eras.ts';

describe('the timeout of a call', () => {
  it('is five minutes without progress by default', async () => {
    await using gateway = await startGateway({ mcpServers: { srv: { url: 'http://127.0.0.1:9/mcp' } } });
    expect(gateway.runtime.apis.gateway.backend('srv')?.settings.callTimeout).toBe(300_000);
  });

  describe.concurrent.each(ways)('with a backend over %s, %s era', (transport, backend) => {
    it.concurrent.each(eras)('restarts with progress, and ends a silent call (%s client)', async (era) => {
      await using reference = await startReference(transport, backend);
      await using gateway = await startGateway({ mcpServers: { ref: { ...reference.entry, callTimeout: '2s' } } });
      await using client = await connect(gateway, era);
      const started = performance.now();
      const [lively, silent] = await Promise.all([
        callTool(client, 'ref__slow', { ms: 5000, tag: 'lively' }, { onprogress() {} }),
        callTool(client, 'ref__slow', { ms: 20_000, tag: 'silent' }).then((result) => ({
          result,
          after: performance.now() - started,
        })),
      ]);
      expect(textOf(lively)).toBe('slow 5000');
      expect(silent.after).toBeGreaterThan(1950);
      expect(silent.after).toBeLessThan(15_000);
      expect(silent.result.isError).toBe(true);
      expect(textOf(silent.result)).toMatch(/silent for 2 s/);
      expect(silent.result._meta).toMatchObject({ 'sluice/error': { code: 'timeout' } });
      // The timed-out call is also cancelled at the backend.
      const journal = JSON.parse(textOf(await callTool(client, 'ref__journal'))) as string[];
      expect(journal).toContain('slow cancelled silent');
    });
  });

  it.concurrent.each(eras)('pauses while the user is asked (%s client)', async (era) => {
    await using reference = await startReference('stdio', 'legacy');
    await using gateway = await startGateway({ mcpServers: { ref: { ...reference.entry, callTimeout: '2s' } } });
    const answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 4000));
      return { action: 'accept', content: { value: 'slowly' } };
    };
    await using client = await connect(gateway, era, { answer });
    expect(textOf(await callTool(client, 'ref__ask', { kind: 'elicitation', tag: 't' }))).toContain('slowly');
  });
});
