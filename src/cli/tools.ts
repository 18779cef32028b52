import type { GatewayStatus } from '../gateway/status/status.ts';
import { globMatcher } from '../kernel/glob.ts';
import type { Command } from '../kernel/command.ts';
import { exit } from './frame.ts';
import { type GatewayAccess, reach } from './reach.ts';
import { readGatewayStatus } from './status.ts';
import { firstLine, table } from './table.ts';
import type { Terminal } from '../host/terminal.ts';

export function toolsCommand(access: GatewayAccess, terminal: Terminal): Command {
  return {
    name: 'tools',
    summary: 'Lists the tools of all servers',
    usage: 'sluice tools [PATTERN] [--json] [--config F]',
    example: "sluice tools 'github__*issue*'",
    positionals: [0, 1],
    options: {
      json: { type: 'boolean', describe: 'Print the tools as MCP lists them, with their schemas' },
      config: { type: 'string', short: 'c', describe: 'The configuration file, where no gateway runs' },
    },
    async run({ values, positionals: [pattern] }) {
      const config = typeof values.config === 'string' ? { config: values.config } : {};
      await using client = await reach(access, terminal, { expose: 'flat', ...config });
      const tools = (await client.tools()).filter(({ name }) => pattern === undefined || matches(name, pattern));
      if (values.json) terminal.print(JSON.stringify(tools, null, 2));
      else if (tools.length > 0) {
        terminal.print(table(tools.map(rowOf), terminal.width).join('\n'));
      }
      if (tools.length === 0 && pattern !== undefined) terminal.say(`No tool matches ${pattern}.`);
      for (const line of troubles(await readGatewayStatus(client))) terminal.say(line);
      return exit.done;
    },
  };
}

/** One line for each: with `prefix: ""` a server may name its tools as it likes. */
export function rowOf({ name, title, description }: { name: string; title?: string; description?: string }): string[] {
  return [firstLine(name), firstLine(description ?? title ?? '')];
}

/** A pattern with `*` or `?` is a glob over the whole name; any other may stand anywhere in it. */
export function matches(name: string, pattern: string): boolean {
  const wanted = pattern.toLowerCase();
  return /[*?]/.test(wanted) ? globMatcher([wanted])(name.toLowerCase()) : name.toLowerCase().includes(wanted);
}

/** The servers whose tools may be missing, and why. */
export function troubles({ backends }: Pick<GatewayStatus, 'backends'>): string[] {
  return backends
    .filter(({ state }) => state !== 'RUNNING')
    .map(({ name, state, lastError }) => `${name} is ${state}${lastError ? `: ${firstLine(lastError.message)}` : '.'}`);
}
