import { formerly } from '../../kernel/callable.ts';
import type { Stop } from '../../kernel/cancellation.ts';
import { AppError } from '../../kernel/errors.ts';
import { downTo } from '../../kernel/lean-schema.ts';
import { meantBy } from '../../kernel/meant.ts';
import { didYouMean, nearestNames, sentences, shown } from '../../kernel/nearest-names.ts';
import { own } from '../../kernel/own.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { CallContext, CallParams, ClientFacts, Json, Outcome, WireTool } from '../../kernel/source.ts';
import type { Trace } from '../../kernel/trace.ts';
import type { Registered } from '../registry.ts';
import { refuseUnknown, toolKey, wrappedCall, type WrapperKeys } from './wrapped-call.ts';

export type CallInner = (tool: Registered, params: CallParams, context: CallContext) => Promise<Outcome>;

/** What a wrapper needs to call the tools it stands for. */
export interface Inner {
  readonly call: CallInner;
  /** Records a call of a tool that does not exist. */
  unknown(name: string, context: CallContext): void;
}

/** A tool that stands for others: it lists them, or calls one. */
export type Wrapper = (params: CallParams, context: CallContext, inner: Inner) => Promise<Outcome>;

/** Finds a tool by any of its names. Otherwise throws why it is withheld, or which listed names are near. */
export function resolver(
  reach: ReadonlyMap<string, Registered>,
  listed: readonly string[],
  where: string,
  withheld: (name: string) => AppError | undefined,
) {
  return (name: unknown, missing?: (name: string) => void): Registered => {
    if (typeof name !== 'string') throw new AppError('invalid_input', `Name a tool. ${where} shows the names.`);
    const tool = reach.get(name);
    if (tool) return tool;
    const refused = withheld(name);
    if (refused) throw refused;
    missing?.(name);
    const meant = didYouMean(nearestNames(name, listed));
    throw new AppError('not_found', sentences(`No tool ${shown(name)}.`, meant, `${where} shows the names.`));
  };
}

export function textIn(args: Json, key: string): string | undefined {
  const value = args[key];
  if (value === undefined || typeof value === 'string') return value;
  throw new AppError('invalid_input', `"${key}" must be a string.`);
}

/** Ranking tools by a page of text would block everyone else. */
export const LONGEST_QUERY = 1000;

/** The words to search for. */
export function queryIn(args: Json): string | undefined {
  const query = textIn(args, 'query');
  if (query === undefined || query.length <= LONGEST_QUERY) return query;
  throw new AppError(
    'invalid_input',
    `"query" has ${query.length} characters; the limit is ${LONGEST_QUERY}. Say in a few words what you want to do.`,
  );
}

/** A wrapper that shows tools. It refuses every key that is not in its schema. */
export function shows(
  { name, inputSchema }: Pick<WireTool, 'name' | 'inputSchema'>,
  show: (args: Json) => Outcome | Promise<Outcome>,
  hint?: string,
): Wrapper {
  const parameters = Object.keys(inputSchema.properties as Json);
  const meant = meantBy(inputSchema);
  return async ({ arguments: args = {} }) => {
    refuseUnknown(name, args, parameters, hint);
    return show(meant(args));
  };
}

/** A wrapper that calls one of the tools it stands for. */
export function calls(
  wrapper: string,
  keys: WrapperKeys,
  isTool: (name: string) => boolean,
  find: (name: unknown, context: CallContext, inner: Inner) => Registered,
  /** Throws if the wrapper may not make this call. */
  check?: (tool: Registered, given: Json) => void,
): Wrapper {
  return async ({ arguments: args = {}, ...params }, context, inner) => {
    const named = toolKey(args, keys, isTool);
    const asked = own(args, named);
    const tool = find(asked, context, inner);
    const read = formerly(tool, String(asked));
    const { arguments: given, confirm } = wrappedCall(wrapper, keys, args, named, tool, read !== undefined);
    const innerArgs = read ? read(given) : given;
    check?.(tool, innerArgs);
    return inner.call(tool, { ...params, name: tool.name, arguments: innerArgs }, new InnerContext(context, confirm));
  };
}

/**
 * The context of the inner call: with the confirmation token that the wrapper got, and without the headers, which mirror
 * the wrapper's arguments and not the inner ones. wire/exchange.ts says why this is a class and not a literal with
 * getters.
 */
class InnerContext implements CallContext {
  readonly #outer: CallContext;
  readonly principal: Principal;
  readonly trace: Trace;
  readonly stop?: Stop;
  readonly bytes?: number;
  readonly confirmToken?: string;

  constructor(outer: CallContext, confirm: unknown) {
    this.#outer = outer;
    this.principal = outer.principal;
    this.trace = outer.trace;
    if (outer.stop) this.stop = outer.stop;
    if (outer.bytes !== undefined) this.bytes = outer.bytes;
    if (typeof confirm === 'string') this.confirmToken = confirm;
  }

  get signal(): AbortSignal {
    return this.#outer.signal;
  }

  /** Read it every time: a parked call comes back with another exchange. */
  get client(): ClientFacts {
    return this.#outer.client;
  }

  hold(release: () => void): void {
    this.#outer.hold?.(release);
  }

  notify(method: string, params: Json): void {
    this.#outer.notify(method, params);
  }

  ask(method: string, params: Json | undefined, signal?: AbortSignal): Promise<Outcome> {
    return this.#outer.ask(method, params, signal);
  }
}

/** A longer definition costs more tokens than the call is worth. */
const LONGEST_DEFINITION = 8000;

/** Everything about a tool. If it is one of ours and long, its output schema is cut to fewer levels. */
export function describe(tool: Registered, short: boolean): Json {
  const { outputSchema = tool.wire.outputSchema } = tool.entry;
  const whole = definition(tool, short, outputSchema);
  if (!tool.entry.outputSchema || sizeOf(whole) <= LONGEST_DEFINITION) return whole;
  const shorter = [3, 2, 1].map((levels) => definition(tool, short, downTo(levels, tool.entry.outputSchema as Json)));
  return shorter.find((one) => sizeOf(one) <= LONGEST_DEFINITION) ?? definition(tool, short, tool.wire.outputSchema);
}

const sizeOf = (value: Json): number => Buffer.byteLength(JSON.stringify(value));

function definition({ name, entry, wire }: Registered, short: boolean, outputSchema: Json | undefined): Json {
  return {
    name: short ? entry.tool : name,
    ...(wire.title !== undefined && { title: wire.title }),
    description: wire.description ?? '',
    inputSchema: wire.inputSchema,
    ...(outputSchema && { outputSchema }),
    ...(wire.annotations && { annotations: wire.annotations }),
    ...(entry.guidance !== undefined && { guidance: entry.guidance }),
  };
}

/** The schema of a wrapper that takes these parameters and nothing else. */
export function closedSchema(properties: Json, required: string[] = []): Json {
  return { ...openSchema(properties, required), additionalProperties: false };
}

/** The schema of a wrapper that also takes the arguments of another tool. */
export function openSchema(properties: Json, required: string[] = []): Json {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

export function text(data: Json | readonly Json[]): Outcome {
  return { result: { content: [{ type: 'text', text: JSON.stringify(data) }] } };
}
