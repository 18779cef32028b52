import type { Stop } from './cancellation.ts';
import type { Annotations, Effect } from './effect.ts';
import type { AppError } from './errors.ts';
import type { Principal } from './principal.ts';
import type { Trace } from './trace.ts';

export type Json = Record<string, unknown>;

export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

/**
 * How a request ended: with a result (which may say isError) or with a protocol error. They stay distinct to the end.
 * What Sluice itself knows is in separate fields: text, numbers and `_meta` are for the client and never read back.
 */
export type Outcome = {
  /** Set if Sluice itself failed the call; not for failures reported by a tool or a server. */
  failed?: AppError;
} & (
  | {
      result: Json;
      /** The result as JSON text, if it exists already. */
      json?: string;
      /** The n8n execution it was. */
      execution?: string;
    }
  | { error: RpcError }
);

export type Era = 'legacy' | 'modern';

/** What is known about the client program of a call. */
export interface ClientFacts {
  readonly era: Era;
  readonly version: string;
  readonly info?: Json;
  readonly capabilities: Json;
  /** Set if the client has its own connection: a 2025 session, stdio, legacy SSE. */
  readonly session?: string;
  readonly logLevel?: string;
}

/** Everything a call may use of its caller. */
export interface CallContext {
  readonly principal: Principal;
  readonly signal: AbortSignal;
  /** The same as `signal`, but free until someone listens: used on the path of every call. */
  readonly stop?: Stop;
  readonly trace: Trace;
  readonly client: ClientFacts;
  /** HTTP request headers named Mcp-Param-*, lower-cased. */
  readonly paramHeaders?: Readonly<Record<string, string>>;
  /** Size of the incoming request, if known. */
  readonly bytes?: number;
  /** The confirmation a wrapper tool (`call_tool`, `<source>_call`) was given for the tool it calls. */
  readonly confirmToken?: string;
  /** Whether all its calls were confirmed together in advance, as those of a run are when it is deployed. */
  readonly confirmed?: true;
  /** Whether Sluice makes this call to answer another one, as the status of a project does. */
  readonly inner?: true;
  /** Removes what is secret in its calls only, from text that is recorded about them. */
  readonly mask?: (text: string) => string;
  /** Holds the room of a large answer, which `release` gives back, until the caller has the answer to this call. */
  hold?(release: () => void): void;
  /** Sends the caller a notification that belongs to this call. */
  notify(method: string, params: Json): void;
  /**
   * Asks the caller's user or model (elicitation, sampling, roots); AppError `unsupported` if that is not possible. The
   * signal withdraws the question.
   */
  ask(method: string, params: Json | undefined, signal?: AbortSignal): Promise<Outcome>;
}

/** The params of a tools/call, unchanged. */
export interface CallParams {
  name: string;
  arguments?: Json;
  _meta?: Json;
  [key: string]: unknown;
}

/** A tool as MCP lists it. Additional keys from backends are kept. */
export interface WireTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations?: Partial<Annotations>;
  [key: string]: unknown;
}

/** What a call would do. A call that changes nothing, such as a dry run, needs no confirmation. */
export type Preview = { readonly changes: false } | { readonly changes: true; readonly says?: string };

/** The effect of a call, and the scope it needs. */
export interface Judged {
  readonly effect: Effect;
  readonly scope: string;
}

/** A callable tool from any source: our own, a backend's, a bridged workflow. */
export interface Entry {
  /** The tool's name at its source; the registry decides how it is exposed. */
  readonly tool: string;
  readonly wire: WireTool;
  /** Former names, each with a function that converts the arguments of that time. Callable, but not listed. */
  readonly aliases?: ReadonlyMap<string, (given: Json) => Json>;
  /** Callable, but not listed. */
  readonly unlisted?: boolean;
  /** The full output schema, if the list has only an outline. */
  readonly outputSchema?: Readonly<Json>;
  readonly effect: Effect;
  readonly scope: string;
  /** What a call with these arguments does and needs, if that depends on them. Without arguments: the least it can do. */
  judge?(given: Json): Judged;
  /** The scopes that its calls may need. One of them suffices to see it. Absent: only `scope`. */
  readonly scopes?: readonly string[];
  /** `human` accepts only what a person says: by elicitation, or in the console. */
  readonly confirm?: boolean | 'human';
  /** Whether `confirm` is declared in the wire schema, and so stripped before the call. */
  readonly declaresConfirm?: boolean;
  /** Whether it accepts keys that are not in its schema, such as those of an export, and checks unknown keys itself. */
  readonly takesMore?: boolean;
  /** The arguments whose values events may have; absent: all. */
  readonly recorded?: readonly string[];
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly guidance?: string;
  /** What people say when they want this tool. The search uses them. */
  readonly phrases?: readonly string[];
  /** Looks at a call before it is confirmed. Throws if confirming makes no sense. */
  preview?(params: CallParams, context: CallContext): Promise<Preview>;
  /** What a confirmation holds for besides the arguments, for example the text of a definition they name. */
  bound?(params: CallParams, context: CallContext): Promise<string>;
  /** Corrects arguments to what was meant. Not for tools of somebody's server: their arguments are passed on unchanged. */
  meant?(given: Json): Json;
  readonly examples?: readonly { title: string; arguments: unknown }[];
  call(params: CallParams, context: CallContext): Promise<Outcome>;
}

/** A prompt of our own. Its name is complete: clients get it as it is. */
export interface OwnPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What a caller needs to see and to get it. */
  readonly scope: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required?: boolean }[];
  /** Gets only declared arguments, all required ones among them, and none that is empty. */
  get(
    given: Readonly<Record<string, string>>,
    context: CallContext,
  ): Promise<{ description?: string; messages: readonly Json[] }>;
  /** Suggests values of an argument that begin with `value`, the best first. */
  complete?(argument: string, value: string, context: CallContext): Promise<readonly string[]>;
}

/** Resources of our own, usually under one URI scheme: `memory://…`. No URI of theirs is ever asked of a server. */
export interface OwnResources {
  /** What a caller needs to see, read and watch them. */
  readonly scope: string;
  /** MCP Resource objects. */
  list(principal: Principal): Promise<readonly Json[]>;
  /** MCP ResourceTemplate objects. */
  readonly templates: readonly Json[];
  /** Whether the URI is one of theirs, whether or not the resource exists. */
  owns(uri: string): boolean;
  /** Throws AppError `not_found` if there is no such resource, or if this caller may not read it. */
  read(uri: string, context: CallContext): Promise<{ contents: readonly Json[] }>;
  /** Whether this principal may watch it. False also if there is no such resource. */
  mayWatch(uri: string, principal: Principal): Promise<boolean>;
  /**
   * Calls `changed` with the URI whenever a resource changes, also if another replica changed it. The gateway listens once,
   * for all of its clients.
   */
  onUpdate(changed: (uri: string) => void): () => void;
  /** Calls `changed` whenever resources come or go. */
  onListChange(changed: () => void): () => void;
  /** Suggests values of a template's variable that begin with `value`, the best first. */
  complete?(uriTemplate: string, variable: string, value: string, context: CallContext): Promise<readonly string[]>;
}

export type Exposure = 'flat' | 'compact' | 'search';

/** Something that provides tools, and perhaps prompts and resources. */
export interface ToolSource {
  readonly id: string;
  /** Prefix of its tools' names; empty for our own, whose names are complete. */
  readonly prefix: string;
  /** Its plural, if other gateways call it so: `recipes_save` calls `recipe_save`. */
  readonly plural?: string;
  /** Default exposure. */
  readonly exposure: Exposure;
  /** The exposure its owner chose. */
  readonly expose?: Exposure;
  readonly description?: string;
  /**
   * How to get things done with it, one or two sentences each. Part of the instructions clients get at the start. Put
   * tool names at the start of a code span: a sentence that names a tool the client does not see is left out.
   */
  guide?(): readonly string[];
  entries(): readonly Entry[];
  /** Prompts and resources of our own sources; a server's come from its catalogue. Only offered while there are entries. */
  readonly prompts?: readonly OwnPrompt[];
  readonly resources?: OwnResources;
  /** Why a tool is missing that the source will have, or would have. */
  absence?(tool: string): string | undefined;
  /** Called with a reason when something of it could not be listed. */
  leftOut?(reason: string): void;
  onChange(listener: () => void): () => void;
}
