import { AppError } from '../../kernel/errors.ts';
import type { CallContext } from '../../kernel/source.ts';
import { childOf, traceparent } from '../../kernel/trace.ts';

/** What a run is told of the trace it belongs to; whoever passes it on lets us see where a call comes from. */
export interface Turn extends Disposable {
  readonly headers: Readonly<Record<string, string>>;
}

export interface Nesting {
  /** Throws when this would be a loop, or looks like one. */
  enter(tool: { readonly key: string; readonly name: string }, context: CallContext, mayLoop: boolean): Turn;
  inFlight(key: string): number;
}

/** So deep may calls be that came out of one another. */
const DEEPEST = 8;
/** So often may one workflow be at work for callers inside n8n, who do not say on whose behalf they call. */
export const MOST_FROM_N8N = 20;
const MOST = 500;

const BAGGAGE = 'sluice-run';
/** What nodes inside n8n that are clients call themselves. */
export const N8N_CLIENT = /\.mcp(?:Client|ClientTool|RegistryClientTool)$/;

/** Whether the caller is a node inside n8n: they introduce themselves by their type. */
export const isN8n = ({ client }: Pick<CallContext, 'client'>): boolean => {
  const name = client.info?.name;
  return typeof name === 'string' && N8N_CLIENT.test(name);
};

/** Knows which runs are at work, and out of which others they came. */
export function createNesting(): Nesting {
  /** By the span a run was told, the workflows that led to it. */
  const chains = new Map<string, readonly string[]>();
  const running = new Map<string, { all: number; fromN8n: number; title: string }>();

  function chainOf({ parentId, baggage }: CallContext['trace']): readonly string[] {
    const told = [parentId, ...spansIn(baggage)].flatMap((span) =>
      span === undefined ? [] : (chains.get(span) ?? []),
    );
    return [...new Set(told)];
  }

  return {
    inFlight: (key) => running.get(key)?.all ?? 0,
    enter({ key, name }, context, mayLoop) {
      const chain = chainOf(context.trace);
      const fromN8n = isN8n(context);
      const now = running.get(key) ?? { all: 0, fromN8n: 0, title: name };
      if (chain.includes(key))
        throw loop(
          name,
          chain.map((one) => running.get(one)?.title ?? one),
        );
      if (chain.length >= DEEPEST) {
        throw new AppError(
          'conflict',
          `${name} was not run: ${DEEPEST} runs that called one another are at work already. Let one of the workflows do the work of the next.`,
        );
      }
      if (fromN8n && mayLoop && now.all > 0) throw loop(name, [name]);
      if (fromN8n && now.fromN8n >= MOST_FROM_N8N) {
        throw new AppError(
          'rate_limited',
          `${name} was not run: ${MOST_FROM_N8N} runs that workflows asked for are at work, as in a loop. Look which workflow calls it, or try again when they have ended.`,
        );
      }
      if (now.all >= MOST) {
        throw new AppError('rate_limited', `${name} was not run: ${MOST} runs of it are at work. Try again later.`);
      }
      const trace = childOf(context.trace, context.trace.sampled);
      chains.set(trace.spanId, [...chain, key]);
      running.set(key, { ...now, all: now.all + 1, fromN8n: now.fromN8n + (fromN8n ? 1 : 0) });
      const { tracestate, baggage } = trace;
      let entered = true;
      return {
        headers: {
          traceparent: traceparent(trace),
          ...(tracestate !== undefined && { tracestate }),
          baggage: [...(baggage ? [baggage] : []), `${BAGGAGE}=${trace.spanId}`].join(','),
        },
        [Symbol.dispose]() {
          if (!entered) return;
          entered = false;
          chains.delete(trace.spanId);
          const then = running.get(key);
          if (!then || then.all <= 1) running.delete(key);
          else running.set(key, { ...then, all: then.all - 1, fromN8n: then.fromN8n - (fromN8n ? 1 : 0) });
        },
      };
    },
  };
}

function spansIn(baggage: string | undefined): string[] {
  if (baggage === undefined) return [];
  return baggage.split(',').flatMap((member) => {
    const [name, value] = (member.split(';')[0] as string).split('=');
    return name?.trim() === BAGGAGE && value !== undefined ? [value.trim()] : [];
  });
}

function loop(name: string, chain: readonly string[]): AppError {
  return new AppError(
    'conflict',
    `${name} was not run, because it is running already and has been called from within itself: ${[...chain, name].join(' -> ')}. Let its workflow not call it: the MCP client node in it can leave ${name} out.`,
    { data: { loop: [...chain, name] } },
  );
}
