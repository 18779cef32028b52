import type { z } from 'zod';
import type { ModelChoice } from '../embedder/choice.ts';
import type { TextModel } from '../embedder/text-model.ts';
import type { AppError } from '../kernel/errors.ts';
import type { ListedTool } from '../kernel/listed-tool.ts';
import type { Framing } from '../kernel/message-limit.ts';
import type { AnyTool } from '../kernel/tool.ts';
import type { Budget, Limit } from './budget.ts';
import type { Preset } from './presets/preset.ts';
import type { CommonSettings } from './settings.ts';
import type { Tls } from './tls.ts';

/** What the keys of a module's section become, together with those that every section has. */
export type SettingsOf<S extends z.ZodObject> = z.output<S> & CommonSettings;

/**
 * A service whose tools Sluice offers. A module is a plain value: `export default module({ … })`. Its file imports
 * schemas and texts only; `tools` and `connect` load the rest, and `connect` the driver.
 */
export interface Module<S extends z.ZodObject = z.ZodObject, Connection extends AsyncDisposable = AsyncDisposable> {
  /** Lower case. The names of its tools begin with it: `redis` has `redis_get_key`. */
  readonly name: string;
  /** What its tools are for, in about 70 characters: every tools/list has it, and cuts what is longer. */
  readonly description: string;
  /** How to get things done with it, a sentence or two for the instructions that clients get. */
  readonly guide?: readonly string[];
  /** The keys of its section, besides those of every module. Other keys are refused. */
  readonly settings: S;
  /** Its allow-lists without one of which read-write is refused. */
  readonly writesNeed?: readonly (keyof z.output<S> & string)[];
  /** What is wrong with keys that are each fine: of two of which one is needed, both are missing. */
  problems?(settings: SettingsOf<S>): readonly Problem[];
  /** Where the service is, without credentials. It is looked for there when Sluice starts, and errors name it. */
  address(settings: SettingsOf<S>): Address;
  /** What must appear in no log: passwords, tokens. Those of URLs are found without it. */
  secrets?(settings: SettingsOf<S>): readonly (string | undefined)[];
  tools(): Promise<readonly AnyTool<Connection>[]>;
  /**
   * The same tools without their code, so that a start need not load it. Built-in modules read it from `listed.json`,
   * which `npm run docs` writes.
   */
  listed?(): Promise<readonly ListedTool[]>;
  /** Whether it connects when Sluice starts, because what its user may do can be a reason to refuse it. */
  readonly connectsAtStart?: true;
  /**
   * Connects when the first tool is called, and again after the service was away. If the connection has `isLost`, it is
   * asked before each call: a lost one is replaced before anything is sent.
   */
  connect(settings: SettingsOf<S>, around: Around): Promise<Connection>;
  /**
   * How the driver's protocol tells messages apart: a connection with a message of more than 16 MB is ended before the
   * driver holds it. Its tools open no connections of other kinds. For `httpTo` it is not needed.
   */
  readonly framing?: Framing;
  /** Asks the service whether it works. Returns its version and size in a few words, such as `Redis 7.0.15, 3 keys`. */
  check(connection: Connection, signal: AbortSignal): Promise<string>;
  /**
   * Explains an error of the driver to the reader who can act on it. Undefined leaves it to `failureAt`, which knows
   * connections that are refused, lost or slow, and TLS.
   */
  explain?(error: unknown, at: string): AppError | undefined;
}

/** A mistake in a module's section. */
export interface Problem {
  /** The key that it is about; without one, the section. */
  readonly key?: string;
  readonly message: string;
  readonly fix: string;
}

/** A TCP port, or the socket file of a service on this machine. */
export type Address =
  | { readonly host: string; readonly port: number }
  | { readonly socket: string }
  | { readonly text: string };

/** What Sluice gives a module that connects. */
export interface Around {
  /** The name of the source: `redis`, or `redis-staging` if there are several. */
  readonly name: string;
  readonly isReadOnly: boolean;
  /** How long a call may take. */
  readonly timeoutMs: number;
  /** For `tls.connect`; undefined if the section says nothing about TLS. */
  readonly tls: Tls | undefined;
  /** Aborted if connecting takes too long. */
  readonly signal: AbortSignal;
  /** What belongs to Sluice itself. No tool may show or change it. */
  readonly own: Own;
  /** Keeps calls of this source within `limit`, over restarts and replicas. */
  budget(limit: Limit): Budget;
  /** Redacts this value everywhere from now on, and keeps it out of memories: a tool has just revealed it. */
  revealed(value: string): void;
  /** The model that turns texts into vectors; the packaged one unless said. It is loaded when it is first used. */
  model(choice?: ModelChoice): TextModel;
}

export interface Own {
  /** The folder with its database and keys. */
  readonly home: string;
  /** The schemas of its tables, in whichever database they are. */
  readonly schemas: readonly string[];
  /** All its keys in Redis begin with this. */
  readonly redisPrefix: string;
  /** The identifier of the PostgreSQL server with its store; undefined if that is SQLite. */
  storeServer(): Promise<string | undefined>;
}

/** Infers a module's types from its values. */
export const module = <S extends z.ZodObject, Connection extends AsyncDisposable>(
  given: Module<S, Connection>,
): Module<S, Connection> => given;

/** A module in a list, without its types. */
// oxlint-disable-next-line typescript/no-explicit-any -- a list of modules holds modules of every kind
export type AnyModule = Module<any, any>;

/** The module of a section, or why there is none. */
export type Found = { readonly module: AnyModule } | { readonly problem: string; readonly fix: string };

/** The same for a section that may also be a server of somebody else. */
export type FoundAny = Found | { readonly preset: Preset | undefined };
