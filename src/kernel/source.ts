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
 * How a request ended: a result (which may itself say isError), or a protocol error. They stay distinct to the end.
 * What Sluice itself knows of it stands beside them: text, numbers and `_meta` are for the client, and never read back.
 */
export type Outcome = {
  /** Why it failed, where that was for Sluice to say; a failure of a tool or of a server is theirs. */
  failed?: AppError;
} & (
  | {
      result: Json;
      /** The same as text, where it is at hand. */
      json?: string;
      /** Which execution in n8n it was. */
      execution?: string;
    }
  | { error: RpcError }
);

export type Era = 'legacy' | 'modern';

/** What is known of the client program behind a call. */
export interface ClientFacts {
  readonly era: Era;
  readonly version: string;
  readonly info?: Json;
  readonly capabilities: Json;
  /** Present where the client keeps a connection of its own: a 2025 session, stdio, legacy SSE. */
  readonly session?: string;
  readonly logLevel?: string;
}

/** Everything a call may use of the one who made it. */
export interface CallContext {
  readonly principal: Principal;
  readonly signal: AbortSignal;
  /** The same as `signal`, for the path of every call: it costs nothing until someone listens. */
  readonly stop?: Stop;
  readonly trace: Trace;
  readonly client: ClientFacts;
  /** HTTP request headers named Mcp-Param-*, lower-cased. */
  readonly paramHeaders?: Readonly<Record<string, string>>;
  /** How large the request was that came in, where that is known. */
  readonly bytes?: number;
  /** The confirmation a wrapper tool (`call_tool`, `<source>_call`) was given for the tool it calls. */
  readonly confirmToken?: string;
  /** Sends the caller a notification that belongs to this call. */
  notify(method: string, params: Json): void;
  /**
   * Asks the caller's user or model (elicitation, sampling, roots); an AppError `unsupported` where it cannot be asked.
   * The signal takes the question back.
   */
  ask(method: string, params: Json | undefined, signal?: AbortSignal): Promise<Outcome>;
}

/** The params of a tools/call as they came. */
export interface CallParams {
  name: string;
  arguments?: Json;
  _meta?: Json;
  [key: string]: unknown;
}

/** A tool as MCP lists it. Backends add keys of their own; they stay. */
export interface WireTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations?: Partial<Annotations>;
  [key: string]: unknown;
}

/** What a call would do. What changes nothing, a dry run for one, needs no confirmation. */
export type Preview = { readonly changes: false } | { readonly changes: true; readonly says?: string };

/** One callable tool, whoever brings it: our own, a backend's, a bridged workflow. */
export interface Entry {
  /** The tool's name at its source; the registry decides how it is exposed. */
  readonly tool: string;
  readonly wire: WireTool;
  /** Former names, each with how the arguments of that time are read today. They are called, and not listed. */
  readonly aliases?: ReadonlyMap<string, (given: Json) => Json>;
  /** Whether it is called, and not listed. */
  readonly unlisted?: boolean;
  /** All of the output's schema, where the list has an outline of it. */
  readonly outputSchema?: Readonly<Json>;
  readonly effect: Effect;
  readonly scope: string;
  /** `human` accepts an answer by elicitation only. */
  readonly confirm?: boolean | 'human';
  /** Whether `confirm` is declared in the wire schema, and so stripped before the call. */
  readonly declaresConfirm?: boolean;
  /** Whether it reads keys that its schema does not have, as of an export, and refuses itself what it does not know. */
  readonly takesMore?: boolean;
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly guidance?: string;
  /** What people say who want it: it is found by them. */
  readonly phrases?: readonly string[];
  /** Looks at a call before it is confirmed; throws what makes no sense to be confirmed. */
  preview?(params: CallParams, context: CallContext): Promise<Preview>;
  /** Only where the tool is ours: its arguments as they were meant. What a backend is asked is the caller's word. */
  meant?(given: Json): Json;
  readonly examples?: readonly { title: string; arguments: unknown }[];
  call(params: CallParams, context: CallContext): Promise<Outcome>;
}

export type Exposure = 'flat' | 'compact' | 'search';

/** Something that brings tools. */
export interface ToolSource {
  readonly id: string;
  /** What precedes its tools' names; empty for our own, whose names are complete. */
  readonly prefix: string;
  /** How it is listed where nobody chose otherwise. */
  readonly exposure: Exposure;
  /** How its owner chose to list it. */
  readonly expose?: Exposure;
  readonly description?: string;
  /**
   * How to get things done with it, a sentence or two each: part of what clients are told at the start. A tool stands at
   * the start of a code span, and a sentence with one that a client does not see is not told.
   */
  guide?(): readonly string[];
  entries(): readonly Entry[];
  /** Why a tool that it will have, or would have, is not there. */
  absence?(tool: string): string | undefined;
  /** Told what of it could not be listed, and why. */
  leftOut?(reason: string): void;
  onChange(listener: () => void): () => void;
}
