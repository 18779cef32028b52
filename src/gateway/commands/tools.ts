import { exit } from '../../cli/frame.ts';
import { reach } from '../../cli/reach.ts';
import { firstLine, table } from '../../cli/table.ts';
import { configWithoutGateway, given, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Action } from '../../kernel/command.ts';
import { globMatcher } from '../../kernel/glob.ts';
import type { GatewayStatus } from '../status/status.ts';
import { readGatewayStatus } from './status.ts';

export function toolsCommand(place: Place): Action {
  const { terminal } = place;
  return {
    usage: '[PATTERN] [--json] [--config F]',
    example: "sluice tools 'github__*issue*'",
    positionals: [0, 1],
    options: {
      json: { type: 'boolean', describe: 'Print the tools as MCP lists them, with their schemas' },
      config: configWithoutGateway,
    },
    async run({ values, positionals: [pattern] }) {
      await using client = await reach(place, { expose: 'flat', ...given('file', textIn(values, 'config')) });
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

/** One line per tool: a server with `prefix: ""` may put anything into its names. */
export function rowOf({ name, title, description }: { name: string; title?: string; description?: string }): string[] {
  return [firstLine(name), firstLine(description ?? title ?? '')];
}

/** A pattern with `*` or `?` matches the whole name; any other text matches anywhere in it. */
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
