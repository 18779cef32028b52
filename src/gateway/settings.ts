import type { z } from 'zod';
import type { Annotations } from '../kernel/effect.ts';
import type { AppError } from '../kernel/errors.ts';
import type { Presence } from '../kernel/presence.ts';
import type { CallContext, CallParams } from '../kernel/source.ts';
import type { serverSchema } from './config/server-entry.ts';
import type { route, toolset } from './config/settings.ts';

/** One backend: what its entry in the file says, and what a part of Sluice that brings a server adds. */
export type BackendSettings = z.output<typeof serverSchema> & BroughtSettings;

interface BroughtSettings {
  /** Whose scopes its tools need, where several servers are one thing to their users. */
  group?: string;
  /** Titles and annotations, by the server's own name of a tool, for one that says nothing of the kind itself. */
  hints?: readonly (readonly [string, { readonly title: string; readonly annotations: Annotations }])[];
  /** Whether arguments that do not fit the tool's schema are refused here, rather than by the server. */
  checkArguments?: boolean;
  /** Asked before every call of a tool, by the name it is listed under: throws where it must not be made, and is told when it has ended. */
  enter?(tool: string, context: CallContext, params: CallParams): Disposable;
  /** Says what it means that a call, which to repeat may do harm, could not be ended; the same error where it knows no more. */
  brokeOff?(tool: string, error: AppError): AppError;
  /** What serves it, where that comes and goes as a whole: it is waited for before it is connected to. */
  presence?: Presence;
  /** Names its catalogue, where its address and headers do not: the same tools may move. */
  catalogueKey?: string;
  /** A glob over exposed names -> how long a call may be silent, where that is not `callTimeout`. */
  callTimeouts?: Record<string, number>;
}

export type RouteRule = z.output<typeof route>;
export type Toolset = z.output<typeof toolset>;
