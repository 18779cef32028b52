import { callOwn } from '../../cli/client.ts';
import { createAnswerer } from '../../cli/elicitation.ts';
import { untilCancelled } from '../../cli/interrupt.ts';
import { findRunning, reach } from '../../cli/reach.ts';
import { firstLine } from '../../cli/table.ts';
import { given, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Values } from '../../kernel/command.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Json } from '../../kernel/source.ts';

/** The blueprint tools of a gateway. */
export interface Calls {
  readonly signal: AbortSignal;
  /** Whether the gateway was started for this command, and ends with it. */
  readonly isOwn: boolean;
  /** `quiet`: answers no question. */
  call<T>(tool: string, args: Json, quiet?: 'quiet'): Promise<T>;
}

/** Runs a verb with the running gateway, else with one for as long as the verb runs. */
export async function withCalls(
  place: Place,
  values: Values,
  work: (calls: Calls) => Promise<number>,
  /** A tool to wait for if a gateway is started; without one, all servers are tried first. */
  tool?: string,
): Promise<number> {
  const { terminal } = place;
  const signal = untilCancelled();
  const running = await findRunning(place);
  await using client =
    running ??
    (await reach(place, { signal, ...given('file', textIn(values, 'config')), ...(tool !== undefined && { tool }) }));
  const onAsk = createAnswerer(terminal, values.yes === true);
  return await work({
    signal,
    isOwn: running === undefined,
    call: (name, args, quiet) =>
      callOwn(client, name, args, {
        signal,
        absent: isOff,
        ...(quiet === undefined && { onAsk }),
        onProgress: ({ message }) => terminal.progress(firstLine(String(message))),
      }),
  });
}

const isOff = () =>
  new AppError(
    'unavailable',
    'blueprints are off. Remove `blueprints: false`, or a server that is called blueprint, from sluice.yaml.',
  );
