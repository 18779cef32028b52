import type { Annotations } from '../kernel/effect.ts';
import type { AppError } from '../kernel/errors.ts';
import type { Presence } from '../kernel/presence.ts';
import type { CallContext, CallParams, Exposure } from '../kernel/source.ts';
import type { OAuthSettings } from '../wire/credentials.ts';

export type Transport =
  | { kind: 'stdio'; command: string; args: string[]; env: Record<string, string>; cwd?: string }
  | { kind: 'http' | 'sse'; url: string; headers: Record<string, string> };

/** One backend as it is configured. */
export interface BackendSettings {
  transport: Transport;
  /** What stands before its tools' names; undefined is its own name, empty is nothing. */
  prefix?: string;
  /** What it is for, in a few words. */
  description?: string;
  isolation: 'shared' | 'session' | 'principal';
  replicas: number;
  /** For starting and for housekeeping requests. */
  timeout: number;
  /** How long a call may be silent. */
  callTimeout: number;
  enabled: boolean;
  tags: string[];
  tools: { include: string[]; exclude: string[]; rename: Record<string, string>; describe: Record<string, string> };
  confirm: string[];
  confirmBy?: 'human';
  expose?: Exposure;
  /** Whether a tool whose definition changed stays in use or is held back until accepted. */
  onChange: 'allow' | 'hold';
  /** Whether its URL may lead to this machine or its network: the owner's file may, a tool call may not. */
  allowInternal: boolean;
  /** How it is signed in to; false for never. */
  oauth?: OAuthSettings | false;
  allowedPaths?: { tool: string; argument: string; directories: string[] }[];
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

export interface RouteRule {
  tool: string;
  when: Record<string, string | number | boolean | null>;
  to: string;
}

export interface Toolset {
  include: string[];
  exclude: string[];
  expose?: Exposure;
  /** Only tools that change nothing. */
  readOnly?: boolean;
}
