import type { z } from 'zod';
import type { Annotations } from '../kernel/effect.ts';
import type { AppError } from '../kernel/errors.ts';
import type { Presence } from '../kernel/presence.ts';
import type { CallContext, CallParams, Json } from '../kernel/source.ts';
import type { serverSchema } from './config/server-entry.ts';
import type { route, toolset } from './config/settings.ts';

/** One backend: its entry in the file, and what a part adds to a server that it brings. */
export type BackendSettings = z.output<typeof serverSchema> & BroughtSettings;

interface BroughtSettings {
  /** The name in the scopes of its tools, if several servers are one thing to their users. */
  group?: string;
  /** Titles and annotations by the server's own tool names, for tools that declare none. */
  hints?: readonly (readonly [string, { readonly title: string; readonly annotations: Partial<Annotations> }])[];
  /** Whether its tools can be called, but are not listed, because they are listed under other names. */
  unlisted?: true;
  /** Whether Sluice refuses arguments that do not match the tool's schema, instead of the server. */
  checkArguments?: boolean;
  /** Corrects the arguments of a tool with this schema to what was meant. */
  meant?(schema: Json): ((given: Json) => Json) | undefined;
  /** Whether a result that has the form of a success says that the tool failed. */
  isFailure?(result: Json): boolean;
  /** Arguments that `enter` refuses in every call: no schema shows them. */
  withheld?: readonly string[];
  /** Runs before every call of a tool, by its exposed name. Throws to refuse the call; disposed when the call ends. */
  enter?(tool: string, context: CallContext, params: CallParams): Disposable;
  /** Explains the failure of a call that is not safe to repeat; returns the same error if it has nothing to add. */
  brokeOff?(tool: string, error: AppError): AppError;
  /** The service behind it, if that comes and goes: Sluice waits for it before it connects. */
  presence?: Presence;
  /** Identifies its catalogue, if address and headers do not: the same tools may move to another address. */
  catalogueKey?: string;
  /** Glob over exposed names -> how long a call may be silent; overrides `callTimeout`. */
  callTimeouts?: Record<string, number>;
}

export type RouteRule = z.output<typeof route>;
export type Toolset = z.output<typeof toolset>;
