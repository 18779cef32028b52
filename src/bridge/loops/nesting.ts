import { AppError } from '../../kernel/errors.ts';
import type { CallContext } from '../../kernel/source.ts';
import { childOf, traceparent } from '../../kernel/trace.ts';
import { NO_RISK, type Risk } from './risk.ts';

/** The trace headers of one run. If the workflow passes them on, we see where a call comes from. */
export interface Turn extends Disposable {
  /** The span of this run. A call that carries it comes from this run. */
  readonly spanId: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Nesting {
  /** Throws if the call is a loop, or looks like one. */
  enter(tool: { readonly key: string; readonly name: string }, context: CallContext): Turn;
  inFlight(key: string): number;
}

/** Maximum depth of nested calls. */
const DEEPEST = 8;
/** Maximum parallel calls of a tool by nodes in n8n that do not say from which run they call. */
const MOST_FROM_N8N = 20;
/** The same for a tool that may call itself without our seeing it. */
const MOST_DOUBTFUL = 5;
const MOST = 500;

const BAGGAGE = 'sluice-run';
const STATE = 'sluice';
/** n8n cuts longer values. */
const LONGEST_STATE = 512;
/** Client names of the MCP client nodes in n8n: their node types. */
const n8nClient = /\.mcp(?:Client|ClientTool|RegistryClientTool)$/;

/** Whether the caller is a node in n8n. */
function isN8n({ client }: Pick<CallContext, 'client'>): boolean {
  const name = client.info?.name;
  return typeof name === 'string' && n8nClient.test(name);
}

interface Running {
  readonly all: number;
  /** Those by callers that may be nodes in n8n. */
  readonly inside: number;
  readonly title: string;
}

/** Tracks which calls run in n8n, and which calls they came from. */
export function createNesting(riskOf: (key: string) => Risk): Nesting {
  /** By span of a run: the tools that led to it. */
  const chains = new Map<string, readonly string[]>();
  const running = new Map<string, Running>();

  function chainOf({ parentId, baggage }: CallContext['trace']): readonly string[] {
    const told = [parentId, ...spansIn(baggage)].flatMap((id) => (id === undefined ? [] : (chains.get(id) ?? [])));
    return [...new Set(told)];
  }

  /** For a call without a known origin: whether it may come from a workflow. Throws if it looks like a loop. */
  function suspect({ key, name }: { key: string; name: string }, context: CallContext, now: Running): boolean {
    const fromN8n = isN8n(context);
    const isNameless = context.client.info === undefined;
    // Clients outside n8n: return before the costly risk analysis.
    if (!fromN8n && !isNameless) return false;
    const risk = now.all === 0 && fromN8n ? NO_RISK : riskOf(key);
    if (!fromN8n && !risk.overHttp) return false;
    if (fromN8n && risk.comesBack && now.all > 0) throw loop(name, [name]);
    const most = risk.overHttp || risk.unseen ? MOST_DOUBTFUL : MOST_FROM_N8N;
    if (now.inside < most) return true;
    throw new AppError(
      'rate_limited',
      `${name} was not called: ${most} calls of it by workflows are already running, as in a loop. Check which workflow calls it, or try again when they have ended.`,
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
          `${name} was not called: ${DEEPEST} nested calls are already running. Reduce the nesting: let a workflow do the work of the next one itself.`,
        );
      }
      // A call with a chain has a known origin.
      const inside = chain.length === 0 && suspect(tool, context, now) ? 1 : 0;
      if (now.all >= MOST) {
        throw new AppError(
          'rate_limited',
          `${name} was not called: ${MOST} calls of it are already running. Try again later.`,
        );
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

/** A proxy or n8n replaces the span id of `traceparent`, but keeps `tracestate`. */
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
    `${name} was not called: it is already running and was called from within itself: ${[...chain, name].join(' -> ')}. Exclude ${name} in the MCP client node of its workflow.`,
    { data: { loop: [...chain, name] } },
  );
}
