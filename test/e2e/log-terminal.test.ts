import { describe, expect, test } from 'vitest';
import { callTool, connectV2 } from '../integration/harness.ts';
import { createPlace, reference } from '../support/command-line.ts';
import { noTerminal, onTerminal } from '../support/pseudo-terminal.ts';

const CTRL_C = '\x03';

describe.skipIf(noTerminal)(`serve on a terminal${noTerminal ? ` (skipped: ${noTerminal})` : ''}`, () => {
  test.each([
    ['with colours', {}, '\x1b[33mWARN\x1b[39m'],
    ['without, where NO_COLOR is set', { NO_COLOR: '1' }, '] WARN: '],
  ])('tells how to connect, then what goes wrong in readable lines, %s', async (_, env, warning) => {
    await using place = await createPlace({ mcpServers: { ref: reference } });
    const gateway = onTerminal(place, ['serve', '--port', '0'], { env });
    let shown = '';
    gateway.child.stdout.on('data', (text: string) => {
      shown += text;
    });
    await gateway.printed('Ready:');
    expect(shown, 'nothing stands between the lines for a person').not.toMatch(/INFO|WARN|\{"level"/);
    const url = /MCP +(http:\S+)\/mcp/.exec(shown)?.[1] as string;
    await using client = await connectV2({ url, home: place.home });
    await callTool(client, 'gateway_restart_server', { name: 'nobody' });
    await gateway.printed(/gateway_restart_server failed after .* ms: not_found/);
    expect(shown).toContain(warning);
    expect(shown).toContain('"trace_id":');
    gateway.child.stdin.write(CTRL_C);
    const { code, stdout } = await gateway.finished;
    expect(code).toBe(0);
    expect(stdout).toContain('Stopping (SIGINT)');
    expect(stdout).not.toContain('{"level"');
  });
});
