import { AppError } from '../../kernel/errors.ts';
import type { CallContext } from '../../kernel/source.ts';
import { childOf, traceparent } from '../../kernel/trace.ts';
import { NO_RISK, type Risk } from './risk.ts';

/** What a run is told of the trace it belongs to; whoever passes it on lets us see where a call comes from. */
export interface Turn extends Disposable {
  /** Its own step in that trace: whatever carries it belongs to this run. */
  readonly spanId: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Nesting {
  /** Throws when this would be a loop, or looks like one. */
  enter(tool: { readonly key: string; readonly name: string }, context: CallContext): Turn;
  inFlight(key: string): number;
}

/** So deep may calls be that came out of one another. */
const DEEPEST = 8;
/** So often may a tool be at work for callers inside n8n, who do not say on whose behalf they call. */
const MOST_FROM_N8N = 20;
/** The same where nobody can see that it does not call itself, or where only the caller could tell. */
const MOST_DOUBTFUL = 5;
const MOST = 500;

const BAGGAGE = 'sluice-run';
const STATE = 'sluice';
/** n8n keeps no more. */
const LONGEST_STATE = 512;
/** What nodes inside n8n that are clients call themselves. */
const n8nClient = /\.mcp(?:Client|ClientTool|RegistryClientTool)$/;

/** Whether the caller is a node inside n8n: they introduce themselves by their type. */
function isN8n({ client }: Pick<CallContext, 'client'>): boolean {
  const name = client.info?.name;
  return typeof name === 'string' && n8nClient.test(name);
}

interface Running {
  readonly all: number;
  /** On behalf of callers who may be inside n8n. */
  readonly inside: number;
  readonly title: string;
}

/** Knows which calls are at work in n8n, and out of which others they came. */
export function createNesting(riskOf: (key: string) => Risk): Nesting {
  /** By the span a run was told, the tools that led to it. */
  const chains = new Map<string, readonly string[]>();
  const running = new Map<string, Running>();

  function chainOf({ parentId, baggage }: CallContext['trace']): readonly string[] {
    const told = [parentId, ...spansIn(baggage)].flatMap((id) => (id === undefined ? [] : (chains.get(id) ?? [])));
    return [...new Set(told)];
  }

  /** Throws where nobody says whence the call comes, and it may be from within the tool itself. */
  function suspect({ key, name }: { key: string; name: string }, context: CallContext, now: Running): boolean {
    const fromN8n = isN8n(context);
    const isNameless = context.client.info === undefined;
    // Others are outside n8n, and who is asked for every call must not cost them anything.
    if (!fromN8n && !isNameless) return false;
    const risk = now.all === 0 && fromN8n ? NO_RISK : riskOf(key);
    if (!fromN8n && !risk.overHttp) return false;
    if (fromN8n && risk.comesBack && now.all > 0) throw loop(name, [name]);
    const most = risk.overHttp || risk.unseen ? MOST_DOUBTFUL : MOST_FROM_N8N;
    if (now.inside < most) return true;
    throw new AppError(
      'rate_limited',
      `${name} was not called: ${most} calls of it that workflows asked for are at work, as in a loop. Look which workflow calls it, or try again when they have ended.`,
    );
  }

  return {
    inFlight: (key) => running.get(key)?.all ?? 0,
    enter(tool, context) {
      const { key, name } = tool;
      const chain = chainOf(context.trace);
      const now = running.get(key) ?? { all: 0, inside: 0, title: name };
      if (chain.includes(key)) {
        throw loop(
          name,
          chain.map((one) => running.get(one)?.title ?? one),
        );
      }
      if (chain.length >= DEEPEST) {
        throw new AppError(
          'conflict',
          `${name} was not called: ${DEEPEST} calls that came out of one another are at work already. Let one of the workflows do the work of the next.`,
        );
      }
      // Who says out of which run it comes is no mystery.
      const inside = chain.length === 0 && suspect(tool, context, now) ? 1 : 0;
      if (now.all >= MOST) {
        throw new AppError('rate_limited', `${name} was not called: ${MOST} calls of it are at work. Try again later.`);
      }
      const trace = childOf(context.trace, context.trace.sampled);
      chains.set(trace.spanId, [...chain, key]);
      running.set(key, { ...now, all: now.all + 1, inside: now.inside + inside });
      const { tracestate, baggage } = trace;
      let entered = true;
      return {
        spanId: trace.spanId,
        headers: {
          traceparent: traceparent(trace),
          tracestate: stateWith(trace.spanId, tracestate),
          baggage: [...(baggage ? [baggage] : []), `${BAGGAGE}=${trace.spanId}`].join(','),
        },
        [Symbol.dispose]() {
          if (!entered) return;
          entered = false;
          chains.delete(trace.spanId);
          const then = running.get(key);
          if (!then || then.all <= 1) running.delete(key);
          else running.set(key, { ...then, all: then.all - 1, inside: then.inside - inside });
        },
      };
    },
  };
}

/** Whoever takes the trace a step further, a proxy or n8n itself, changes the span and leaves this as it is. */
function stateWith(spanId: string, given = ''): string {
  const others = given.split(',').filter((member) => member.trim() !== '' && !member.trim().startsWith(`${STATE}=`));
  const all = [`${STATE}=${spanId}`, ...others].join(',');
  return all.length <= LONGEST_STATE ? all : `${STATE}=${spanId}`;
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
    `${name} was not called, because it is at work already and has been called from within itself: ${[...chain, name].join(' -> ')}. Let its workflow not call it: the MCP client node in it can leave ${name} out.`,
    { data: { loop: [...chain, name] } },
  );
}
