import { untilSignal } from '../../cli/interrupt.ts';
import type { GatewayClient } from '../../cli/client.ts';
import { createAnswerer } from '../../cli/elicitation.ts';
import { exit } from '../../cli/frame.ts';
import { reach } from '../../cli/reach.ts';
import { firstLine } from '../../cli/table.ts';
import { configWithoutGateway, given, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Terminal } from '../../host/terminal.ts';
import type { Action } from '../../kernel/command.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Json } from '../../kernel/source.ts';
import { code } from '../../wire/jsonrpc.ts';
import { readArguments } from './call-arguments.ts';
import { resultText } from './result-text.ts';
import { readGatewayStatus } from './status.ts';
import { troubles } from './tools.ts';

export function callCommand(place: Place): Action {
  const { terminal } = place;
  return {
    usage: "TOOL ['{json}' | - | key=value …] [--json] [--yes] [--config F]",
    example: `sluice call memory__search_nodes '{"query": "sluice"}'`,
    positionals: [1, Number.POSITIVE_INFINITY],
    options: {
      json: { type: 'boolean', describe: 'Print the whole result' },
      yes: { type: 'boolean', short: 'y', describe: 'Confirm a tool that asks for confirmation' },
      config: configWithoutGateway,
    },
    async run({ values, positionals: [tool = '', ...words] }) {
      const args = await readArguments(words, terminal.input);
      const stop = new AbortController();
      void untilSignal().then(() => stop.abort(new AppError('cancelled', 'Cancelled.')));
      const file = textIn(values, 'config');
      await using client = await reach(place, { tool, signal: stop.signal, ...given('file', file) });
      const reply = createAnswerer(terminal, values.yes === true);
      const answer = await client.call(tool, args, {
        signal: stop.signal,
        onProgress: (progress) => terminal.progress(progressText(progress)),
        async onAsk(method, params, signal) {
          try {
            return await reply(method, params, signal);
          } catch (error) {
            // Ctrl-C at a question ends the call, not only the question.
            stop.abort(error);
            throw error;
          }
        },
      });
      if (values.json) terminal.print(JSON.stringify('error' in answer ? answer : answer.result, null, 2));
      if ('error' in answer) {
        terminal.say(`sluice call: ${answer.error.message}`);
        // Servers use the same code for wrong arguments.
        if (answer.error.code === code.invalidParams && !(await isListed(client, tool)))
          await explainAbsence(client, terminal);
        return exit.failed;
      }
      const failed = answer.result.isError === true;
      if (failed) terminal.say(resultText(answer.result));
      else if (!values.json) terminal.print(resultText(answer.result));
      return failed ? exit.failed : exit.done;
    },
  };
}

async function isListed(client: GatewayClient, tool: string): Promise<boolean> {
  return (await client.tools()).some(({ name }) => name === tool);
}

/** A tool may be unknown only because its server is not up. */
async function explainAbsence(client: GatewayClient, terminal: Terminal): Promise<void> {
  for (const line of troubles(await readGatewayStatus(client))) terminal.say(line);
}

function progressText({ progress, total, message }: Json): string {
  const share = typeof total === 'number' ? `${String(progress)}/${total}` : undefined;
  // Words say more than a number without a unit.
  const said = typeof message === 'string' ? firstLine(message) : undefined;
  return [share, said].filter((part) => part !== undefined).join(' ') || String(progress);
}
