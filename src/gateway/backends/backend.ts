import type { LookupFunction } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, toAppError } from '../../kernel/errors.ts';
import type { GatewayEvents } from '../facts.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Redactor } from '../../kernel/redact.ts';
import type { CallContext, ClientFacts, Json } from '../../kernel/source.ts';
import type { Store } from '../../store/store.ts';
import { needsLogin } from '../../wire/credentials.ts';
import type { Upstream } from '../../wire/upstream.ts';
import { LATEST_LEGACY, MODERN, meta } from '../../wire/versions.ts';
import type { Catalogue, ListKind } from './catalogue.ts';
import { createConnecting, type Way } from './connecting.ts';
import { canBeAsked } from '../era.ts';
import { Lane, type LaneState } from './lane.ts';
import { createLanes, type LaneRole, ownCapabilities } from './lanes.ts';
import { createGivenSecrets } from './given-secrets.ts';
import { createLatencies } from './latencies.ts';
import { logLevels } from '../log-levels.ts';
import { createOffer } from './offer.ts';
import type { BackendSettings } from '../settings.ts';
import type { SignIn } from './sign-in.ts';
import { createStderrTail } from './stderr-tail.ts';
import { createUpstreamSubscriptions } from './upstream-subscriptions.ts';
import { at, isDown, type UrlStatus, urlStates } from './urls.ts';

/** What went wrong last: `error` to decide by, `message` to show, with every secret redacted. */
export interface BackendError {
  error: AppError;
  message: string;
  at: string;
}

export type BackendStateName = 'STOPPED' | 'STARTING' | 'RUNNING' | 'DEGRADED' | 'FAILED';

/** What a backend reports to the gateway, and asks of it. */
export interface BackendObserver {
  catalogueChanged(backend: Backend, kinds: readonly ListKind[]): void;
  resourceUpdated(backend: Backend, params: Json): void;
  taskNotified(backend: Backend, lane: Lane | undefined, method: string, params: Json): void;
  /** Whether any client would be notified of changes. */
  isWatched(): boolean;
  /** Ends a session that is idle; false if it is in use. */
  endIdle(session: string): boolean;
  /** A server's request that belongs to no call. The client of its session may answer. */
  ask(session: string | undefined, method: string, params: Json | undefined): ReturnType<CallContext['ask']>;
}

export interface BackendDeps {
  events: GatewayEvents;
  store: Pick<Store, 'catalogues' | 'definitions' | 'shared' | 'tables'>;
  /** The environment children inherit from. */
  environment: NodeJS.ProcessEnv;
  clientInfo: Json;
  /** Resolves names to public addresses only. */
  publicLookup: LookupFunction;
  redact: Redactor;
  signIn?: SignIn | undefined;
  observer: BackendObserver;
  /** Runs starts a few at a time, so that fifty servers do not start at once. */
  inTurn<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  healthMs: number;
  /** How many private connections one caller may have. */
  mostOwned(): number;
}

/** Never ask a server for less than this: clients share the connection, and Sluice filters for each of them. */
const LEAST_LEVEL = 'info';

const DRAIN_LOOK_MS = 50;

/** One configured MCP server: its connections, what it offers, and how it is doing. */
export class Backend {
  readonly name: string;
  settings: BackendSettings;
  readonly latencies = createLatencies();
  readonly subscriptions;
  readonly lanes;
  readonly offer;
  readonly stderr;
  /** What Sluice gave this server that must not come back. */
  readonly given;
  readonly #connecting;
  since = Date.now();
  lastError: BackendError | undefined;
  /** Messages that were ignored because they are not MCP. */
  noise = 0;
  readonly #deps: BackendDeps;
  readonly #held = Promise.withResolvers<void>();
  readonly #logLevels = new WeakMap<Upstream, string>();
  #logLevel = Number.POSITIVE_INFINITY;
  #lastState: BackendStateName = 'STOPPED';
  /** The shared lane that reads the catalogue and has the subscriptions. If it fails, another one takes over. */
  #lead: Lane | undefined;
  /** Another backend has taken its place: it only finishes its calls. */
  #replaced = false;
  #stopped = false;

  constructor(name: string, settings: BackendSettings, deps: BackendDeps) {
    this.name = name;
    this.settings = settings;
    this.#deps = deps;
    this.stderr = createStderrTail(deps.redact);
    this.given = createGivenSecrets(name, deps.redact.within);
    this.lanes = createLanes({
      settings,
      clientInfo: deps.clientInfo,
      create: (role) => this.#createLane(role),
      mostOwned: deps.mostOwned,
      endIdle: (session) => deps.observer.endIdle(session),
    });
    this.offer = createOffer({
      server: name,
      settings: () => this.settings,
      store: deps.store,
      events: deps.events,
      ask: (upstream, method, params) => this.ask(upstream, method, params),
      running: () => this.#shared(),
      wanted: () => deps.observer.isWatched(),
      changed: (kinds) => deps.observer.catalogueChanged(this, kinds),
      failed: (error) => this.#failure(error),
    });
    this.#connecting = createConnecting({
      server: name,
      settings: () => this.settings,
      environment: deps.environment,
      publicLookup: deps.publicLookup,
      signIn: () => deps.signIn,
      offer: this.offer,
      given: this.given,
      redact: deps.redact,
      failed: (error) => this.#failure(error),
      notified: (method, params, lane) => this.#notified(method, params, lane),
      ask: (session, method, params) => deps.observer.ask(session, method, params),
      noise: () => {
        this.noise++;
      },
      heard: (text) => this.stderr.add(text),
    });
    this.subscriptions = createUpstreamSubscriptions({
      ask: (upstream, method, params) => this.ask(upstream, method, params),
      envelope: () => this.#envelope(),
      notified: (method, params) => this.#notified(method, params),
      missed: (upstream) => void this.#reread(upstream).catch((error: unknown) => this.#failure(toAppError(error))),
    });
  }

  /** Settles if its start has to wait for the service behind it, so that startup does not wait for this backend. */
  get held(): Promise<void> {
    return this.#held.promise;
  }

  get prefix(): string {
    return this.settings.prefix ?? this.name;
  }

  get catalogue(): Catalogue | undefined {
    return this.offer.catalogue();
  }

  get restarts(): number {
    return this.lanes.all().reduce((sum, lane) => sum + lane.restarts, 0);
  }

  get state(): BackendStateName {
    // If all shared lanes wait for the owner's login, callers with their own login are already served.
    const lanes = this.lanes.shared.every((lane) => lane.waitsForLogin) ? this.lanes.all() : this.lanes.shared;
    const states = lanes.map((lane) => lane.state);
    const running = states.filter((state) => state.state === 'running');
    if (running.length > 0 && lanes === this.lanes.shared && this.urls().some(isDown)) return 'DEGRADED';
    if (running.length > 0) return running.some(({ degraded }) => degraded === undefined) ? 'RUNNING' : 'DEGRADED';
    if (states.some((state) => state.state === 'starting')) return 'STARTING';
    return states.some((state) => state.state === 'failed') ? 'FAILED' : 'STOPPED';
  }

  /** How each URL is doing; empty if the server does not have several. */
  urls(): UrlStatus[] {
    return urlStates(this.lanes.shared, this.#deps.redact);
  }

  get retryAt(): number | undefined {
    if (this.state !== 'FAILED') return undefined;
    const next = Math.min(
      ...this.lanes.shared.map(({ state }) => (state.state === 'failed' ? state.retryAt : Infinity)),
    );
    return Number.isFinite(next) ? next : undefined;
  }

  get pids(): number[] {
    return this.lanes.running().flatMap(({ pid }) => pid ?? []);
  }

  /** A shared connection. A private one may offer things that are only for its client. */
  #shared(): Upstream | undefined {
    for (const lane of [this.#lead, ...this.lanes.shared])
      if (lane?.state.state === 'running') return lane.state.upstream;
    return undefined;
  }

  /** Applies settings that need no other connection: calls go on. */
  async apply(settings: BackendSettings): Promise<void> {
    const isSame = this.settings.onChange === settings.onChange;
    this.settings = settings;
    if (!isSame) await this.offer.onChangeChanged();
  }

  get #isBusy(): boolean {
    return this.lanes.all().some(({ calls }) => calls > 0);
  }

  /**
   * Leaves its place to another backend, and stops when its calls have ended, at the latest after the time that a call
   * may be silent. Returns what the other one has to wait for.
   */
  leave(reason: string): { before: Promise<void> | undefined; done: Promise<void> } {
    // Two processes of one program may be unable to run at the same time. An idle one makes nobody wait for long.
    if (this.settings.transport.kind === 'stdio' && !this.#isBusy) {
      const done = this.stop(reason);
      return { before: done, done };
    }
    return { before: undefined, done: this.#drain(reason) };
  }

  async #drain(reason: string): Promise<void> {
    this.#replaced = true;
    this.offer.stop();
    const { callTimeout, callTimeouts = {} } = this.settings;
    const until = Date.now() + Math.max(callTimeout, ...Object.values(callTimeouts));
    while (!this.#stopped && Date.now() < until && this.#isBusy) await delay(DRAIN_LOOK_MS);
    if (!this.#stopped) await this.stop(reason);
  }

  async stop(reason: string): Promise<void> {
    this.#stopped = true;
    this.offer.stop();
    await this.lanes.stop();
    this.#deps.events.record({ type: 'gateway.backend_stopped', backend: this.name, reason });
  }

  /** Whether to use 2025 instead of this connection: a server that speaks both can ask back only in 2025. */
  wantsLegacy(upstream: Upstream, client: ClientFacts): boolean {
    return upstream.handshake.era === 'modern' && canBeAsked(client) && this.offer.speaksLegacy() !== false;
  }

  /** Sends one of Sluice's own requests: lists, subscriptions, health. */
  ask(upstream: Upstream, method: string, params: Json = {}): ReturnType<Upstream['request']> {
    const own =
      upstream.handshake.era === 'modern'
        ? { ...params, _meta: { ...(params._meta as Json | undefined), ...this.#envelope() } }
        : params;
    return upstream.request(method, own, { idleMs: this.settings.timeout });
  }

  /** Asks all 2025 connections, open and future, for logs of this level and above. */
  async raiseLogLevel(level: string): Promise<void> {
    if (!logLevels.includes(level)) return;
    this.#logLevel = Math.min(this.#logLevel, logLevels.indexOf(level), logLevels.indexOf(LEAST_LEVEL));
    await Promise.all(this.lanes.running().map((upstream) => this.#sendLogLevel(upstream)));
  }

  async #sendLogLevel(upstream: Upstream): Promise<void> {
    const { era, capabilities } = upstream.handshake;
    const level = logLevels[this.#logLevel];
    if (level === undefined || era !== 'legacy' || capabilities.logging === undefined) return;
    if (this.#logLevels.get(upstream) === level) return;
    this.#logLevels.set(upstream, level);
    await this.ask(upstream, 'logging/setLevel', { level }).catch(() => {});
  }

  /** Somebody has signed in: starts the lanes that waited for it, and reads the catalogue if nobody could yet. */
  signedIn(principal: Principal): void {
    for (const lane of this.lanes.all()) lane.signedIn();
    if (this.settings.isolation !== 'principal' || this.catalogue) return;
    try {
      this.lanes.lease({ principal, client: { era: 'legacy', version: LATEST_LEGACY, capabilities: {} } });
    } catch {
      // No room for another connection now: the next call opens it.
    }
  }

  #createLane({ role, capabilities, info, session, era, principal, url }: LaneRole): Lane {
    let started = 0;
    const way = (): Way => ({
      links: this.#connecting.links(principal, lane.url),
      client: { info, capabilities },
      session,
      lane: () => lane,
    });
    const open = async (signal: AbortSignal): Promise<Upstream> => {
      // If only 2025 fails, use 2026: calls are translated then.
      const legacy =
        era === 'legacy' ? await this.#connecting.connectLegacy(way(), signal).catch(() => undefined) : undefined;
      signal.throwIfAborted();
      const upstream = legacy ?? (await this.#connecting.connect(way(), signal));
      void this.#sendLogLevel(upstream);
      if (role === 'shared' && this.#takesLead(lane)) await this.#takeStock(upstream, signal);
      else if (!this.catalogue) await this.#readFirst(upstream);
      return upstream;
    };
    const lane: Lane = new Lane({
      healthMs: this.#deps.healthMs,
      connect: async (signal) => {
        await this.settings.presence?.untilUp(signal, this.#held.resolve);
        return this.#deps.inTurn(async () => {
          started = performance.now();
          return role === 'shared' ? await open(signal) : await this.#openAnywhere(lane, open, signal);
        }, signal);
      },
      connectLegacy: (signal) =>
        this.#deps.inTurn(async () => {
          const upstream = await this.#connecting.connectLegacy({ ...way(), isCompanion: true }, signal);
          if (upstream) void this.#sendLogLevel(upstream);
          return upstream;
        }, signal),
      check: async (upstream) => {
        const answer = await this.ask(upstream, upstream.handshake.era === 'modern' ? 'server/discover' : 'ping');
        // Any other answer, even an error, shows that the server is alive.
        if ('error' in answer && answer.error.code === -32000) throw new AppError('unavailable', answer.error.message);
      },
      onState: (state, previous) => {
        if (role === 'private') return;
        this.#passLead(lane);
        if (!this.#replaced) this.#report(lane, previous, performance.now() - started);
        if (state.state === 'running' && lane === this.#lead) this.offer.refresh([]);
      },
    });
    lane.url = url;
    return lane;
  }

  /** A private lane may use any URL: it takes the best one that answers. */
  async #openAnywhere(lane: Lane, open: (signal: AbortSignal) => Promise<Upstream>, signal: AbortSignal) {
    const urls = this.lanes.urlsFor(lane);
    for (const [index, url] of urls.entries()) {
      lane.url = url;
      try {
        return await open(signal);
      } catch (error) {
        if (index === urls.length - 1 || signal.aborted || needsLogin(toAppError(error))) throw error;
      }
    }
    return await open(signal);
  }

  #takesLead(lane: Lane): boolean {
    this.#lead ??= lane;
    return this.#lead === lane;
  }

  /** If the lead does not run, another lane takes over; the next one that connects if none runs. */
  #passLead(lane: Lane): void {
    if (lane !== this.#lead || lane.state.state === 'running') return;
    this.#lead = undefined;
    if (lane.state.state === 'stopped') return;
    const next = this.lanes.shared.find(({ state }) => state.state === 'running');
    if (next?.state.state !== 'running') return;
    this.#lead = next;
    this.subscriptions.attach(next.state.upstream);
    this.offer.read(next.state.upstream).catch((error: unknown) => this.#failure(toAppError(error)));
  }

  /** Reads what a new connection offers. Subscribes first, so that no change in between is missed. */
  async #takeStock(upstream: Upstream, signal: AbortSignal): Promise<void> {
    const onAbort = () => void upstream.close();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      this.subscriptions.attach(upstream);
      await this.offer.read(upstream);
    } catch (error) {
      await upstream.close();
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Reads the catalogue with a caller's login, because the owner has none. */
  async #readFirst(upstream: Upstream): Promise<void> {
    try {
      await this.offer.read(upstream);
    } catch (error) {
      await upstream.close();
      throw error;
    }
  }

  /** Reads again what a server offers, because another version may have replaced it. */
  async #reread(upstream: Upstream): Promise<void> {
    await upstream.renew();
    await this.offer.read(upstream);
  }

  #envelope(): Json {
    return {
      [meta.protocolVersion]: MODERN,
      [meta.clientInfo]: this.#deps.clientInfo,
      [meta.clientCapabilities]: ownCapabilities,
    };
  }

  #notified(method: string, params: Json, lane?: Lane): void {
    if (this.#replaced && !method.startsWith('notifications/tasks')) return;
    if (method === 'notifications/tools/list_changed') this.offer.refresh(['tools']);
    else if (method === 'notifications/prompts/list_changed') this.offer.refresh(['prompts']);
    else if (method === 'notifications/resources/list_changed') this.offer.refresh(['resources', 'templates']);
    else if (method === 'notifications/resources/updated') this.#deps.observer.resourceUpdated(this, params);
    else if (method.startsWith('notifications/tasks')) this.#deps.observer.taskNotified(this, lane, method, params);
  }

  /** Records a problem with one thing that the server offers. The rest keeps working. */
  noted(error: AppError): void {
    this.#failure(error);
  }

  #failure(error: AppError, url?: string): void {
    this.lastError = { error, message: this.#deps.redact(at(url, error.message)), at: new Date().toISOString() };
  }

  #report({ state, url, trouble }: Lane, previous: LaneState, ms: number): void {
    const { events, redact } = this.#deps;
    const backend = this.name;
    const [before, now] = [this.#lastState, this.state];
    if (now !== before) this.since = Date.now();
    this.#lastState = now;
    if (trouble && state.state !== 'starting') this.#failure(trouble, url);
    const reason = trouble && redact(at(url, trouble.message));
    // A server with several URLs has not failed as long as one of them works.
    const goesOn = url !== undefined && now === 'DEGRADED';
    if (reason !== undefined && (state.state === 'running' || (state.state === 'failed' && goesOn)))
      events.record({ type: 'gateway.backend_degraded', backend, reason });
    else if (
      state.state === 'running' &&
      (previous.state === 'running' || (url !== undefined && before === 'DEGRADED' && now === 'RUNNING'))
    )
      events.record({ type: 'gateway.backend_recovered', backend });
    else if (state.state === 'running') {
      events.record({
        type: 'gateway.backend_started',
        backend,
        tools: this.catalogue?.tools.length ?? 0,
        ms: Math.round(ms),
        protocol: state.upstream.handshake.version,
      });
    } else if (state.state === 'failed') {
      events.record({
        type: 'gateway.backend_failed',
        backend,
        reason: reason ?? redact(state.error.message),
        ...(Number.isFinite(state.retryAt) && { retryInMs: Math.max(0, state.retryAt - Date.now()) }),
      });
    }
  }
}
