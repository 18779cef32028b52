import type { z } from 'zod';
import type { CallObserver } from '../kernel/call.ts';
import type { EventLog } from '../kernel/events.ts';
import type { Fact, FactOf, FactTable } from '../kernel/facts.ts';
import type { CommandEntry } from '../kernel/command.ts';
import type { Env } from '../kernel/env.ts';
import type { Absent, Health } from '../kernel/health.ts';
import type { Redactor } from '../kernel/redact.ts';
import type { Route } from '../kernel/route.ts';
import type { ToolSource } from '../kernel/source.ts';
import type { AnyTool } from '../kernel/tool.ts';
import type { Recording } from '../store/event-log.ts';
import type { Shared } from '../kernel/shared.ts';
import type { Migrations, Store } from '../store/store.ts';
import type { Check } from './check.ts';
import type { Beside } from './config/beside.ts';
import type { Claim } from './config/claims.ts';
import type { Fill } from './config/fill.ts';
import type { Finding } from './config/schema-problems.ts';
import type { Schemes } from './config/scheme.ts';
import type { Tree } from './config/tree.ts';
import type { Gauge } from './gauge.ts';
import type { Log } from './log/log.ts';
import type { PageFile } from './page-file.ts';
import type { Place } from './place.ts';
import type { ServerSettings } from './server-settings.ts';
import type { ShownConfiguration } from './config/shown.ts';
import type { WaitingRoom } from './waiting.ts';

export type { Env } from '../kernel/env.ts';
export type { Absent } from '../kernel/health.ts';

/** No keys, no parts, no facts. */
// oxlint-disable-next-line typescript/no-empty-object-type -- exactly that
export type None = {};

/** Top-level keys of the file. Keys that are read only at the start are marked with `atStart`. */
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
export type ApisOf<U> = { readonly [Name in keyof U]: ApiOf<U[Name]> };

/** The place as a part's commands see it: with the settings of the part and of those it uses, and their Apis. */
export type PlaceOf<K extends Keys, U extends Uses> = Place<
  SettingsOf<K> & (keyof U extends never ? object : UnionToIntersection<KeysOf<U[keyof U]>>),
  ApisOf<U>
>;

/** Where and with which environment the file is read. */
export interface Surroundings {
  readonly env: Env;
  readonly cwd: string;
}

/**
 * A whole capability: its keys of the file, environment variables, facts, tools, commands, routes, checks and lifecycle.
 * This object is static: enough for `--help`, the docs and checking the file. Its module imports only schemas, texts and
 * import thunks; `open` loads the code that runs.
 */
export interface Part<K extends Keys, Api, U extends Uses, F extends FactTable> {
  /** Parts before it in parts.ts: it gets their Apis and may import from their folders. */
  readonly uses?: U;
  readonly settings?: K;
  readonly facts?: F;
  /** Its own tables, one step per version; released steps never change. `host.store.tables` reads and writes them. */
  readonly migrations?: Migrations;
  /** Another file beside the configuration, which completes it. It is watched like the configuration. */
  readonly beside?: Beside;
  /** Completes the file before anything is read from it. */
  prepare?(file: Tree, cwd: string): Tree;
  /** Which of the values with an unset variable nobody uses, and the file without them. */
  spare?(missing: readonly Path[], file: Tree, env: Env): { paths: readonly Path[]; without(tree: Tree): Tree };
  /** Variables that hold a secret. Each can also come from a file, which `NAME_FILE` names. */
  secretVariables?(file: Tree, env: Env): readonly string[];
  /** What `${scheme:name}` in the file stands for, by scheme: `vault` for `${vault:secret/app#password}`. */
  readonly references?: Schemes;
  /** Values from environment variables for keys that the file leaves out. */
  environment?(file: Tree, surroundings: Surroundings): readonly Fill[];
  /**
   * Problems that involve several keys. `settings` is undefined if a key by itself is already wrong; `resolve` makes
   * paths absolute that are relative to the file.
   */
  problems?(
    file: Tree,
    settings: SettingsOf<K> | undefined,
    resolve: (path: string) => string,
  ): readonly Finding[] | Promise<readonly Finding[]>;
  /** Names of sources: servers, modules and our own share one namespace. */
  claims?(file: Tree): readonly Claim[];
  /** Makes relative paths absolute: they are relative to the file. */
  anchor?(settings: SettingsOf<K>, resolve: (path: string) => string): SettingsOf<K>;
  readonly tools?: () => Promise<readonly AnyTool<never>[]>;
  /** What it shows in the console. */
  readonly pages?: readonly PageFile[];
  /** By words: `keys`, or `n8n hook` to add a verb to a command of an earlier part. */
  readonly commands?: Readonly<Record<string, CommandEntry<PlaceOf<K, U>>>>;
  /** Reads this machine and the store; starts nothing and calls nobody. An error here ends the start. */
  open?(host: Host<SettingsOf<K>, FactOf<F>>, uses: ApisOf<U>): OpenPart<Api> | Promise<OpenPart<Api>>;
}

export type Path = readonly PropertyKey[];

export interface OpenPart<Api> extends Partial<AsyncDisposable> {
  readonly api: Api;
  /** Sources known at the start. Later ones are added with `gateway.addSources`. */
  readonly sources?: readonly ToolSource[];
  readonly routes?: readonly Route[];
  readonly observers?: readonly CallObserver[];
  health?(): readonly Health[];
  gauges?(): readonly Gauge[] | Promise<readonly Gauge[]>;
  secrets?(): readonly string[];
  /** Values that its tools have shown to a caller. They are secrets, too, and are stored nowhere. */
  revealed?(): readonly string[];
  /** What it could serve if it were configured, and how to configure it. */
  absent?(): readonly Absent[];
  /** All parts are open and the port is bound: restore what was listed before, start work, wait for no other service. */
  begin?(): Promise<void>;
  /** Settles when everything that `begin` started was tried once. Never rejects. */
  settled?(): Promise<void>;
  /** A setting changed, perhaps another part's: compare, and touch only what differs. Returns fields for the event. */
  reload?(): Promise<object | void>;
  /** What waits for a person here: in a room with the name of the part, or in several with names of their own. */
  readonly waiting?: WaitingRoom | ReadonlyMap<string, WaitingRoom>;
  /** For `sluice doctor`, in the serving process. Without it, doctor shows `health`. */
  check?(signal: AbortSignal): Promise<readonly Check[]>;
}

/** What the process offers every part. */
export interface Host<S, F extends Fact> {
  readonly home: string;
  readonly cache: string;
  readonly cwd: string;
  readonly version: string;
  readonly startedAt: number;
  /** The environment, with `.env` as fallback. For child processes only: parts read settings. */
  readonly env: Env;
  /** The configuration file; undefined without one. */
  readonly file: string | undefined;
  /** `--with-n8n`: this process is about to start an n8n. */
  readonly startsN8n: boolean;
  /** The current settings: read them each time. */
  settings(): S;
  server(): ServerSettings;
  /** How many sessions are open over HTTP. */
  sessions(): number;
  /** The addresses without a path: `here` on this machine, `outside` as others reach it. Empty if no HTTP is served. */
  url(): { readonly here?: string; readonly outside?: string };
  readonly store: Store;
  /** What all replicas agree on. */
  readonly shared: Shared;
  readonly events: EventLog<F> & Recording;
  /** Undefined in commands, which write no log. */
  readonly log: Log | undefined;
  readonly redact: Redactor;
  /** Whether the text contains a value that a tool has revealed. */
  holdsRevealed(text: string): boolean;
  isSettled(): boolean;
  /** The configuration in effect, without secrets, and what is wrong with the file. */
  configuration(): Promise<ShownConfiguration>;
  /** What can be loaded again is dropped after this time without use; undefined for the usual one. */
  readonly idleMs: number | undefined;
  /** Aborted before anything closes. */
  readonly stopping: AbortSignal;
  /** Of every part that is open. */
  readonly all: Everyone;
}

export interface Everyone {
  pages(): readonly PageFile[];
  sources(): readonly ToolSource[];
  observers(): readonly CallObserver[];
  claims(): readonly Claim[];
  health(): readonly Health[];
  absent(): readonly Absent[];
  /** By the names of the rooms; most have that of their part. */
  waiting(): ReadonlyMap<string, WaitingRoom>;
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

/** The host as a part with these keys and facts sees it. */
export type HostOf<K extends Keys, F extends FactTable = None> = Host<SettingsOf<K>, FactOf<F>>;
