import type { z } from 'zod';
import type { CallObserver } from '../kernel/call.ts';
import type { EventLog } from '../kernel/events.ts';
import type { Fact, FactOf, FactTable } from '../kernel/facts.ts';
import type { CommandEntry } from '../kernel/command.ts';
import type { Env } from '../kernel/env.ts';
import type { Absent, Health } from '../kernel/health.ts';
import type { Route } from '../kernel/route.ts';
import type { ToolSource } from '../kernel/source.ts';
import type { AnyTool } from '../kernel/tool.ts';
import type { Recording } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import type { Check } from './check.ts';
import type { Claim } from './config/claims.ts';
import type { Fill } from './config/fill.ts';
import type { Finding } from './config/schema-problems.ts';
import type { Tree } from './config/tree.ts';
import type { Gauge } from './gauge.ts';
import type { Log } from './log/log.ts';
import type { Place } from './place.ts';
import type { ServerSettings } from './server-settings.ts';

export type { Env } from '../kernel/env.ts';
export type { Absent } from '../kernel/health.ts';

/** No keys, no parts, no facts. */
// oxlint-disable-next-line typescript/no-empty-object-type -- exactly that
export type None = {};

/** Top-level keys of the file. What is read only at the start is marked with `atStart`. */
export type Keys = Readonly<Record<string, z.ZodType>>;
export type SettingsOf<K> = { readonly [Name in keyof K]: K[Name] extends z.ZodType ? z.output<K[Name]> : never };

// oxlint-disable-next-line typescript/no-explicit-any -- a list of parts holds parts of every kind
export type AnyPart = Part<any, any, any, any>;
/** Parts by name, in their order. */
export type Parts = Readonly<Record<string, AnyPart>>;
export type Uses = Parts;
// oxlint-disable-next-line typescript/no-explicit-any
export type ApiOf<P> = P extends Part<any, infer Api, any, any> ? Api : never;

type UnionToIntersection<T> = (T extends unknown ? (given: T) => void : never) extends (given: infer All) => void
  ? All
  : never;
// oxlint-disable-next-line typescript/no-explicit-any
type KeysOf<P> = P extends Part<infer K, any, any, any> ? SettingsOf<K> : never;
type ApisOf<U> = { readonly [Name in keyof U]: ApiOf<U[Name]> };

/** The place as the commands of a part get it: with its settings, and with the settings and Apis of the parts it uses. */
export type PlaceOf<K extends Keys, U extends Uses> = Place<
  SettingsOf<K> & (keyof U extends never ? object : UnionToIntersection<KeysOf<U[keyof U]>>),
  ApisOf<U>
>;

/** Where the file is read. */
export interface Surroundings {
  readonly env: Env;
  readonly cwd: string;
}

/**
 * A capability, whole: its keys of the file, its variables, facts, tools, routes, checks, and its life. This object is
 * static: enough for `--help`, the docs and checking the file. Its module imports schemas, texts and import thunks; what
 * runs is loaded by `open`.
 */
export interface Part<K extends Keys, Api, U extends Uses, F extends FactTable> {
  /** Parts that stand before it in parts.ts: it gets their Apis, and may import from their folders. */
  readonly uses?: U;
  readonly settings?: K;
  readonly facts?: F;
  /** Completes what stands in the file before anything is read from it. */
  prepare?(file: Tree, cwd: string): Tree;
  /** Of the values that refer to a variable that is not set: those that nobody uses, and the file without them. */
  spare?(missing: readonly Path[], file: Tree, env: Env): { paths: readonly Path[]; without(tree: Tree): Tree };
  /** What variables put into gaps of the file. */
  environment?(file: Tree, surroundings: Surroundings): readonly Fill[];
  /** What no key sees alone. `settings` are those of the whole file, where each key by itself is right. */
  problems?(file: Tree, settings: SettingsOf<K> | undefined): readonly Finding[] | Promise<readonly Finding[]>;
  /** Names of sources: servers, modules and our own share one namespace. */
  claims?(file: Tree): readonly Claim[];
  /** Makes relative paths absolute: they are meant from where the file is. */
  anchor?(settings: SettingsOf<K>, resolve: (path: string) => string): SettingsOf<K>;
  readonly tools?: () => Promise<readonly AnyTool<never>[]>;
  /** By words: `keys`, or `n8n hook` for a verb of a command that an earlier part has. */
  readonly commands?: Readonly<Record<string, CommandEntry<PlaceOf<K, U>>>>;
  /** Reads this machine and the store, starts nothing, asks nobody. What it throws ends the start. */
  open?(host: Host<SettingsOf<K>, FactOf<F>>, uses: ApisOf<U>): OpenPart<Api> | Promise<OpenPart<Api>>;
}

export type Path = readonly PropertyKey[];

export interface OpenPart<Api> extends Partial<AsyncDisposable> {
  readonly api: Api;
  /** From the start; one that comes later is handed to the gateway. */
  readonly sources?: readonly ToolSource[];
  readonly routes?: readonly Route[];
  readonly observers?: readonly CallObserver[];
  health?(): readonly Health[];
  gauges?(): readonly Gauge[] | Promise<readonly Gauge[]>;
  secrets?(): readonly string[];
  /** What it could serve and nobody has configured, with what to do about it. */
  absent?(): readonly Absent[];
  /** All parts are open and the port is bound: list what was listed before, start work; wait for nobody outside. */
  begin?(): Promise<void>;
  /** Everything that was begun was tried once. Never rejects. */
  settled?(): Promise<void>;
  /** Some setting changed, perhaps another part's: compare, touch only what differs. Returns what the event tells of it. */
  reload?(): Promise<object | void>;
  /** For doctor, in the process that serves. Without it, doctor shows `health`. */
  check?(signal: AbortSignal): Promise<readonly Check[]>;
}

/** What the process offers every part. */
export interface Host<S, F extends Fact> {
  readonly home: string;
  readonly cache: string;
  readonly cwd: string;
  readonly version: string;
  readonly startedAt: number;
  /** With `.env` beneath it. For child processes; parts read settings. */
  readonly env: Env;
  /** The file that is in force; undefined where there is none. */
  readonly file: string | undefined;
  /** `--with-n8n`: this process is about to start an n8n. */
  readonly startsN8n: boolean;
  /** Current: read it each time. */
  settings(): S;
  server(): ServerSettings;
  /** How many sessions are open over HTTP. */
  sessions(): number;
  /** The addresses without a path: `here` on this machine, `outside` as others reach it. None where it serves no HTTP. */
  url(): { readonly here?: string; readonly outside?: string };
  readonly store: Store;
  readonly events: EventLog<F> & Recording;
  /** Absent where none is written: commands. */
  readonly log: Log | undefined;
  redact(text: string): string;
  isSettled(): boolean;
  /** Aborted before anything closes. */
  readonly stopping: AbortSignal;
  /** Of every part that is open. */
  readonly all: Everyone;
}

export interface Everyone {
  sources(): readonly ToolSource[];
  observers(): readonly CallObserver[];
  claims(): readonly Claim[];
  health(): readonly Health[];
  absent(): readonly Absent[];
  gauges(): Promise<readonly Gauge[]>;
}

/** Infers a part's types from its values. */
export const part = <
  Api = undefined,
  const K extends Keys = None,
  const U extends Uses = None,
  const F extends FactTable = None,
>(
  given: Part<K, Api, U, F>,
): Part<K, Api, U, F> => given;

/** The host as a part with these keys and facts gets it. */
export type HostOf<K extends Keys, F extends FactTable = None> = Host<SettingsOf<K>, FactOf<F>>;
