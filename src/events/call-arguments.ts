import type { CallObserver } from '../kernel/call.ts';
import type { DeliveryEvents } from './facts.ts';
import { REDACTED, redactNamed } from '../kernel/redact.ts';
import type { Json } from '../kernel/source.ts';

const LONGEST_BYTES = 2048;

/**
 * Records the arguments of tool calls if the owner enabled that, without secrets and without values whose name sounds
 * like one.
 */
export function argumentsObserver(deps: {
  events: DeliveryEvents;
  enabled(): boolean;
  redact(text: string): string;
}): CallObserver {
  return {
    begins({ name, source, entry }, params, context) {
      if (!deps.enabled() || params.arguments === undefined) return undefined;
      const { mask } = context;
      const redact = mask ? (text: string) => deps.redact(mask(text)) : deps.redact;
      deps.events.record(
        {
          type: 'tool.call_arguments',
          tool: name,
          source,
          principal: context.principal.id,
          arguments: argumentsText(recordable(params.arguments, entry.recorded), redact),
        },
        { traceId: context.trace.traceId },
      );
      return undefined;
    },
  };
}

/** The arguments with only those values that may be recorded: numbers, flags and texts of these names. */
function recordable(given: Json, names: readonly string[] | undefined): Json {
  if (!names) return given;
  const isRecorded = (name: string, value: unknown) => names.includes(name) && typeof value !== 'object';
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, isRecorded(name, value) ? value : REDACTED]),
  );
}

/** JSON, redacted by name and by value before it is cut: half a secret must not remain. */
export function argumentsText(given: unknown, redact: (text: string) => string): string {
  const text = redact(JSON.stringify(redactNamed(given, redact)) ?? '');
  const bytes = Buffer.from(text);
  if (bytes.length <= LONGEST_BYTES) return text;
  // Drop a character that the cut split.
  const kept = bytes
    .subarray(0, LONGEST_BYTES - 3)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
  return `${kept}…`;
}
