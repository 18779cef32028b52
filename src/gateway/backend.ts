import type { LookupFunction } from 'node:net';
import { performance } from 'node:perf_hooks';
import { AppError, messageOf, toAppError } from '../kernel/errors.ts';
import type { EventLog } from '../kernel/events.ts';
import type { CallContext, Json } from '../kernel/source.ts';
import type { Store } from '../store/store.ts';
import { childEnvironment } from '../wire/child.ts';
import { openHttpLink } from '../wire/http-link.ts';
import { openSseLink } from '../wire/sse-link.ts';
import { openStdioLink } from '../wire/stdio-link.ts';
import { Upstream, type UpstreamOptions } from '../wire/upstream.ts';
import { MODERN, meta } from '../wire/versions.ts';
import {
  type Catalogue,
  definitionHash,
  emptyCatalogue,
  fetchList,
  fingerprintOf,
  type ListKind,
  listKinds,
} from './catalogue.ts';
import { Lane, type LaneState } from './lane.ts';
import { logLevels } from './log-levels.ts';
import { createLatencies } from './latencies.ts';
import type { BackendSettings } from './settings.ts';
import { createUpstreamSubscriptions } from './upstream-subscriptions.ts';

export type BackendStateName = 'STOPPED' | 'STARTING' | 'RUNNING' | 'DEGRADED' | 'FAILED';

/** What the gateway wants to hear of a backend. */
export interface BackendObserver {
  catalogueChanged(backend: Backend, kinds: readonly ListKind[]): void;
  resourceUpdated(backend: Backend, params: Json): void;
  taskNotified(backend: Backend, method: string, params: Json): void;
  stateChanged(backend: Backend): void;
  /** A server's own request that belongs to no call: its session's client may answer it. */
  ask(session: string | undefined, method: string, params: Json | undefined): ReturnType<CallContext['ask']>;
}

export interface BackendDeps {
  events: EventLog;
  store: Pick<Store, 'catalogues' | 'definitions'>;
  /** The environment children inherit from. */
  environment: NodeJS.ProcessEnv;
  clientInfo: Json;
  /** Resolves names to public addresses only. */
  publicLookup: LookupFunction;
  redact(text: string): string;
  observer: BackendObserver;
  /** Runs starts a few at a time, so that fifty servers do not start at once. */
  inTurn<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  healthMs: number;
}

/** What a connection that serves everyone says the client can do; who is asked is decided call by call. */
const ownCapabilities: Json = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: { listChanged: true },
};

/** One client's wish for less must not cost another on the same connection: each gets its own share from us. */
const LEAST_LEVEL = 'info';

const PROBE_AGAIN_MS = 24 * 3_600_000;
const IDLE_LANE_MS = 30 * 60_000;
const IDLE_LEASE_MS = 60_000;
const REFRESH_MS = 1000;
const REFRESH_MAX_MS = 60_000;

interface PrivateLane {
  lane: Lane;
  key: string;
  lastUsed: number;
  leased: boolean;
  session?: string;
}

/** One configured MCP server: its connections, what it offers, and how it is doing. */
export class Backend {
  readonly name: string;
  readonly settings: BackendSettings;
  readonly latencies = createLatencies();
  readonly subscriptions;
  catalogue: Catalogue | undefined;
  /** Tools whose definition changed and has not been accepted, and what it is now. */
  readonly held = new Map<string, string>();
  since = Date.now();
  #lastState: BackendStateName = 'STOPPED';
  lastError: { message: string; at: string } | undefined;
  noise = 0;
  readonly #deps: BackendDeps;
  readonly #shared: Lane[];
  readonly #private: PrivateLane[] = [];
  readonly #fingerprint: string;
  readonly #logLevels = new WeakMap<Upstream, string>();
  #logLevel = Number.POSITIVE_INFINITY;
  #definitions = new Map<string, string>();
  #refreshing = false;
  #refreshTries = 0;
  #refreshTimer: NodeJS.Timeout | undefined;
  #stale = new Set<ListKind>();
  #sweeper: NodeJS.Timeout | undefined;

  constructor(name: string, settings: BackendSettings, deps: BackendDeps) {
    this.name = name;
    this.settings = settings;
    this.#deps = deps;
    this.#fingerprint = fingerprintOf(settings);
    this.#shared = Array.from({ length: settings.isolation === 'shared' ? settings.replicas : 1 }, (_, index) =>
      this.#createLane(ownCapabilities, deps.clientInfo, index === 0 ? 'primary' : 'replica'),
    );
    this.subscriptions = createUpstreamSubscriptions({
      ask: (upstream, method, params) => this.ask(upstream, method, params),
      envelope: () => this.#envelope(),
      notified: (method, params) => this.#notified(method, params),
      missed: (upstream) => void this.#reread(upstream).catch((error: unknown) => this.#failure(messageOf(error))),
    });
  }

  get prefix(): string {
    return this.settings.prefix ?? this.name;
  }

  get restarts(): number {
    return this.#lanes().reduce((sum, lane) => sum + lane.restarts, 0);
  }

  get state(): BackendStateName {
    const states = this.#shared.map((lane) => lane.state);
    const running = states.filter((state) => state.state === 'running');
    if (running.length > 0) return running.some(({ degraded }) => degraded === undefined) ? 'RUNNING' : 'DEGRADED';
    if (states.some((state) => state.state === 'starting')) return 'STARTING';
    return states.some((state) => state.state === 'failed') ? 'FAILED' : 'STOPPED';
  }

  get retryAt(): number | undefined {
    if (this.state !== 'FAILED') return undefined;
    return Math.min(...this.#shared.flatMap(({ state }) => (state.state === 'failed' ? [state.retryAt] : [])));
  }

  get pids(): number[] {
    return this.#lanes().flatMap((lane) =>
      lane.state.state === 'running' && lane.state.upstream.pid ? [lane.state.upstream.pid] : [],
    );
  }

  /** Puts the last known catalogue back, so that its tools are listed before it runs. */
  async restore(): Promise<void> {
    const known = await this.#deps.store.catalogues.get(this.name);
    this.#definitions = await this.#deps.store.definitions.get(this.name);
    if (known?.fingerprint !== this.#fingerprint) return;
    const catalogue = known.value as Catalogue;
    // What was held back before is not let through by a restart.
    if (this.settings.onChange === 'hold') {
      for (const tool of catalogue.tools) {
        const name = tool.name as string;
        const hash = definitionHash(tool);
        if ((this.#definitions.get(name) ?? hash) !== hash) this.held.set(name, hash);
      }
    }
    this.#adopt(catalogue, false);
  }

  /** Settles when the first attempt of every shared connection has ended. It begins when `after` has come about. */
  async start(after?: Promise<void>): Promise<void> {
    this.#sweeper = setInterval(() => this.#sweep(), IDLE_LEASE_MS / 2);
    this.#sweeper.unref();
    await Promise.all(this.#shared.map((lane) => lane.start(after)));
  }

  async stop(reason: string): Promise<void> {
    clearInterval(this.#sweeper);
    clearTimeout(this.#refreshTimer);
    await Promise.all(this.#lanes().map((lane) => lane.stop()));
    this.#private.length = 0;
    this.#deps.events.record({ type: 'gateway.backend_stopped', backend: this.name, reason });
  }

  async restart(): Promise<void> {
    for (const { lane } of this.#private.splice(0)) await lane.stop();
    await Promise.all(this.#shared.map((lane) => lane.restart()));
  }

  /** Drops everything that was kept of it. */
  async forget(): Promise<void> {
    await this.#deps.store.catalogues.delete(this.name);
    await this.#deps.store.definitions.delete(this.name);
  }

  /** The connection that serves this caller. `release` gives back one that was lent for a single call. */
  lease(context: Pick<CallContext, 'principal' | 'client'>, except?: Lane): { lane: Lane; release(): void } {
    const { isolation } = this.settings;
    if (isolation === 'shared') return { lane: this.#leastBusy(except), release() {} };
    const { session } = context.client;
    if (isolation === 'session' && session === undefined) return this.#lend(context);
    // What a 2025 client can do is settled once; a 2026 client says it anew with every request.
    const able = context.client.era === 'modern' ? ` ${JSON.stringify(context.client.capabilities)}` : '';
    const key = isolation === 'principal' ? `principal ${context.principal.id}` : `session ${session}${able}`;
    const own = isolation === 'principal' ? ownCapabilities : context.client.capabilities;
    const info = isolation === 'principal' ? this.#deps.clientInfo : (context.client.info ?? this.#deps.clientInfo);
    const known =
      this.#private.find((lane) => lane.key === key) ??
      this.#addPrivate(key, own, info, isolation === 'session' ? session : undefined);
    known.lastUsed = Date.now();
    return { lane: known.lane, release() {} };
  }

  /** A connection that served before, as long as there is that one: what a server left there is nowhere else. */
  leaseAgain(lane: Lane): { lane: Lane; release(): void } | undefined {
    if (lane.state.state === 'stopped') return undefined;
    const own = this.#private.find((known) => known.lane === lane);
    if (own) own.lastUsed = Date.now();
    return { lane, release() {} };
  }

  /** Ends what was opened for one client. */
  sessionClosed(session: string): void {
    for (const closed of this.#private.filter((lane) => lane.session === session)) {
      this.#private.splice(this.#private.indexOf(closed), 1);
      void closed.lane.stop();
    }
  }

  sessionLane(session: string): Lane | undefined {
    return this.#private.find((lane) => lane.session === session)?.lane;
  }

  /** Every connection that is up now. */
  running(): Upstream[] {
    return this.#lanes().flatMap((lane) => (lane.state.state === 'running' ? [lane.state.upstream] : []));
  }

  /** A request of the gateway's own: lists, subscriptions, health. */
  ask(upstream: Upstream, method: string, params: Json = {}): ReturnType<Upstream['request']> {
    const own =
      upstream.handshake.era === 'modern'
        ? { ...params, _meta: { ...(params._meta as Json | undefined), ...this.#envelope() } }
        : params;
    return upstream.request(method, own, { idleMs: this.settings.timeout });
  }

  /** Asks 2025 connections for logs of this level and up, now and whenever they are opened. */
  async raiseLogLevel(level: string): Promise<void> {
    if (!logLevels.includes(level)) return;
    this.#logLevel = Math.min(this.#logLevel, logLevels.indexOf(level), logLevels.indexOf(LEAST_LEVEL));
    await Promise.all(this.running().map((upstream) => this.#sendLogLevel(upstream)));
  }

  async #sendLogLevel(upstream: Upstream): Promise<void> {
    const { era, capabilities } = upstream.handshake;
    const level = logLevels[this.#logLevel];
    if (level === undefined || era !== 'legacy' || capabilities.logging === undefined) return;
    if (this.#logLevels.get(upstream) === level) return;
    this.#logLevels.set(upstream, level);
    await this.ask(upstream, 'logging/setLevel', { level }).catch(() => {});
  }

  /** Takes changed definitions as they are now; all of them, or one tool's. */
  async accept(tool?: string): Promise<string[]> {
    const accepted = [...this.held.keys()].filter((name) => tool === undefined || name === tool);
    for (const name of accepted) {
      this.held.delete(name);
      const definition = this.catalogue?.tools.find((known) => known.name === name);
      if (definition) await this.#approve(name, definitionHash(definition));
      this.#deps.events.record({ type: 'gateway.tool_accepted', backend: this.name, tool: name });
    }
    if (accepted.length > 0) this.#deps.observer.catalogueChanged(this, ['tools']);
    return accepted;
  }

  #lanes(): Lane[] {
    return [...this.#shared, ...this.#private.map(({ lane }) => lane)];
  }

  #leastBusy(except: Lane | undefined): Lane {
    const usable = this.#shared.filter((lane) => lane !== except);
    const running = usable.filter((lane) => lane.state.state === 'running');
    const sound = running.filter((lane) => !('degraded' in lane.state));
    const pool = [sound, running, usable, this.#shared].find((lanes) => lanes.length > 0) as Lane[];
    return pool.reduce((best, lane) => (lane.busy < best.busy ? lane : best));
  }

  /** A client without a session of its own gets a connection that nobody else uses for the time of its call. */
  #lend(context: Pick<CallContext, 'principal' | 'client'>): { lane: Lane; release(): void } {
    const key = `lease ${context.principal.id} ${JSON.stringify(context.client.capabilities)}`;
    const known =
      this.#private.find((lane) => lane.key === key && !lane.leased) ??
      this.#addPrivate(key, context.client.capabilities, context.client.info ?? this.#deps.clientInfo);
    known.leased = true;
    return {
      lane: known.lane,
      release() {
        known.leased = false;
        known.lastUsed = Date.now();
      },
    };
  }

  #addPrivate(key: string, capabilities: Json, info: Json, session?: string): PrivateLane {
    const lane = this.#createLane(capabilities, info, 'private', session);
    const added: PrivateLane = {
      lane,
      key,
      lastUsed: Date.now(),
      leased: false,
      ...(session !== undefined && { session }),
    };
    this.#private.push(added);
    void lane.start();
    return added;
  }

  #sweep(): void {
    const now = Date.now();
    for (const idle of this.#private.filter(
      (lane) => lane.session === undefined && !lane.leased && lane.lane.busy === 0,
    )) {
      if (now - idle.lastUsed < (idle.key.startsWith('lease') ? IDLE_LEASE_MS : IDLE_LANE_MS)) continue;
      this.#private.splice(this.#private.indexOf(idle), 1);
      void idle.lane.stop();
    }
  }

  /** The primary one reads what is offered; a replica offers the same; a private one says nothing of the server. */
  #createLane(capabilities: Json, info: Json, role: 'primary' | 'replica' | 'private', session?: string): Lane {
    let started = 0;
    const primary = role === 'primary';
    const lane: Lane = new Lane({
      healthMs: this.#deps.healthMs,
      connect: (signal) =>
        this.#deps.inTurn(async () => {
          started = performance.now();
          const upstream = await this.#connect(capabilities, info, session, () => lane, signal);
          void this.#sendLogLevel(upstream);
          if (!primary) return upstream;
          const onAbort = () => void upstream.close();
          signal.addEventListener('abort', onAbort, { once: true });
          try {
            // First listen, then read: a change in between is heard.
            this.subscriptions.attach(upstream);
            await this.#read(upstream);
            return upstream;
          } catch (error) {
            await upstream.close();
            throw error;
          } finally {
            signal.removeEventListener('abort', onAbort);
          }
        }, signal),
      check: async (upstream) => {
        const answer = await this.ask(upstream, upstream.handshake.era === 'modern' ? 'server/discover' : 'ping');
        // Any answer shows that it lives.
        if ('error' in answer && answer.error.code === -32000) throw new AppError('unavailable', answer.error.message);
      },
      onState: (state, previous) => {
        if (role !== 'private') this.#report(state, previous, performance.now() - started);
        if (state.state === 'running' && primary && this.#stale.size > 0) this.#refresh([]);
      },
    });
    return lane;
  }

  /** A server known to speak only 2025 is not asked about 2026 at every start, but now and then. */
  #priorLegacy(): boolean {
    return this.catalogue?.era === 'legacy' && Date.now() - this.catalogue.probedAt < PROBE_AGAIN_MS;
  }

  async #connect(
    capabilities: Json,
    info: Json,
    session: string | undefined,
    lane: () => Lane,
    signal: AbortSignal,
  ): Promise<Upstream> {
    let upstream: Upstream | undefined;
    const options: UpstreamOptions = {
      ...this.#links(),
      client: { info, capabilities },
      timeoutMs: this.settings.timeout,
      signal,
      ...(this.#priorLegacy() && { prior: 'legacy' as const }),
      events: {
        notification: (method, params) => this.#notified(method, params),
        ask: (method, params) => this.#deps.observer.ask(session, method, params),
        noise: () => {
          this.noise++;
        },
        closed: (error) => {
          if (upstream)
            lane().lost(upstream, new AppError(error.code, this.#deps.redact(error.message), { cause: error.cause }));
        },
      },
    };
    upstream = await Upstream.connect(options);
    return upstream;
  }

  #links(): Pick<UpstreamOptions, 'open' | 'openFallback'> {
    const { transport } = this.settings;
    if (transport.kind === 'stdio') {
      const env = childEnvironment(transport.env, this.#deps.environment);
      return { open: (events) => openStdioLink({ ...transport, env }, events) };
    }
    const guard = this.settings.allowInternal ? {} : { lookup: this.#deps.publicLookup };
    const target = { url: new URL(transport.url), headers: transport.headers, ...guard };
    if (transport.kind === 'sse') return { open: (events, signal) => openSseLink(target, events, signal) };
    return {
      open: async (events) => openHttpLink(target, events),
      openFallback: (events, signal) => openSseLink(target, events, signal),
    };
  }

  #envelope(): Json {
    return {
      [meta.protocolVersion]: MODERN,
      [meta.clientInfo]: this.#deps.clientInfo,
      [meta.clientCapabilities]: ownCapabilities,
    };
  }

  #notified(method: string, params: Json): void {
    if (method === 'notifications/tools/list_changed') this.#refresh(['tools']);
    else if (method === 'notifications/prompts/list_changed') this.#refresh(['prompts']);
    else if (method === 'notifications/resources/list_changed') this.#refresh(['resources', 'templates']);
    else if (method === 'notifications/resources/updated') this.#deps.observer.resourceUpdated(this, params);
    else if (method.startsWith('notifications/tasks')) this.#deps.observer.taskNotified(this, method, params);
  }

  /** Reads everything it offers. One list that fails does not cost the others. */
  async #read(upstream: Upstream): Promise<void> {
    const next = emptyCatalogue(
      upstream.handshake,
      this.#priorLegacy() ? (this.catalogue?.probedAt ?? Date.now()) : Date.now(),
    );
    const results = await Promise.all(
      listKinds.map((kind) => this.#fetch(kind, upstream).catch((error: unknown) => toAppError(error))),
    );
    listKinds.forEach((kind, index) => {
      const result = results[index];
      if (result instanceof AppError || result === undefined) {
        next.rejected.push(messageOf(result));
        next[kind] = this.catalogue?.[kind] ?? [];
        this.#stale.add(kind);
        return;
      }
      next[kind] = result.items;
      next.hints[kind] = result.hint;
      next.rejected.push(...result.rejected);
    });
    // A server that offers nothing because every list failed is not up.
    if (results.every((result) => result instanceof AppError)) throw results[0];
    await this.#compare(next.tools);
    this.#adopt(next, true);
  }

  #fetch(kind: ListKind, upstream: Upstream) {
    return fetchList(kind, upstream.handshake.capabilities, (method, params) => this.ask(upstream, method, params));
  }

  /** Reads anew what a server offers that may have been replaced by another one. */
  async #reread(upstream: Upstream): Promise<void> {
    await upstream.renew();
    await this.#read(upstream);
  }

  /** Several notices in a row become one reading. */
  #refresh(kinds: readonly ListKind[]): void {
    for (const kind of kinds) this.#stale.add(kind);
    if (this.#refreshing) return;
    this.#refreshing = true;
    void this.#readStale()
      .then(
        () => {
          this.#refreshTries = 0;
        },
        (error: unknown) => {
          this.#failure(toAppError(error).message);
          this.#refreshLater();
        },
      )
      .finally(() => {
        this.#refreshing = false;
      });
  }

  /** A list that could not be read is tried again: otherwise its server would run without its tools for good. */
  #refreshLater(): void {
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = setTimeout(
      () => this.#refresh([]),
      Math.min(REFRESH_MAX_MS, REFRESH_MS * 2 ** this.#refreshTries++),
    );
    this.#refreshTimer.unref();
  }

  async #readStale(): Promise<void> {
    while (this.#stale.size > 0) {
      const upstream = this.running()[0];
      // While it starts, what is stale is read when it runs.
      if (!upstream || !this.catalogue) return;
      const stale = [...this.#stale];
      this.#stale.clear();
      const next = { ...this.catalogue, hints: { ...this.catalogue.hints } };
      try {
        for (const kind of stale) {
          const { items, hint } = await this.#fetch(kind, upstream);
          next[kind] = items;
          next.hints[kind] = hint;
        }
      } catch (error) {
        for (const kind of stale) this.#stale.add(kind);
        throw error;
      }
      if (stale.includes('tools')) await this.#compare(next.tools);
      this.#adopt(next, true, stale, true);
    }
  }

  /** A change that the backend announced is passed on even if nothing differs: it may know why. */
  #adopt(catalogue: Catalogue, persist: boolean, kinds: readonly ListKind[] = listKinds, announced = false): void {
    const before = this.catalogue;
    const differs = (kind: ListKind) =>
      JSON.stringify(before?.[kind] ?? []) !== JSON.stringify(catalogue[kind]) ||
      (before !== undefined && JSON.stringify(before.hints[kind]) !== JSON.stringify(catalogue.hints[kind]));
    const changed = kinds.filter((kind) => announced || differs(kind));
    this.catalogue = catalogue;
    if (persist) {
      this.#deps.store.catalogues
        .put(this.name, this.#fingerprint, catalogue)
        .catch((error: unknown) => this.#failure(`its catalogue could not be saved: ${messageOf(error)}`));
    }
    if (changed.length > 0) this.#deps.observer.catalogueChanged(this, changed);
  }

  /** Notices definitions that are not what they were when they were first offered. */
  async #compare(tools: readonly Json[]): Promise<void> {
    const offered = new Set(tools.map(({ name }) => name));
    for (const name of this.held.keys()) if (!offered.has(name)) this.held.delete(name);
    for (const tool of tools) {
      const name = tool.name as string;
      const hash = definitionHash(tool);
      const known = this.#definitions.get(name);
      if (known === hash) {
        this.held.delete(name);
        continue;
      }
      const hold = known !== undefined && this.settings.onChange === 'hold';
      if (known !== undefined && this.held.get(name) !== hash)
        this.#deps.events.record({ type: 'gateway.tool_changed', backend: this.name, tool: name, held: hold });
      if (hold) this.held.set(name, hash);
      else await this.#approve(name, hash);
    }
  }

  async #approve(tool: string, hash: string): Promise<void> {
    this.#definitions.set(tool, hash);
    await this.#deps.store.definitions.put(this.name, tool, hash);
  }

  #failure(message: string): void {
    this.lastError = { message: this.#deps.redact(message), at: new Date().toISOString() };
  }

  #report(state: LaneState, previous: LaneState, ms: number): void {
    const { events, observer } = this.#deps;
    const backend = this.name;
    if (this.state !== this.#lastState) this.since = Date.now();
    this.#lastState = this.state;
    if (state.state === 'running' && state.degraded !== undefined) {
      this.#failure(state.degraded);
      events.record({ type: 'gateway.backend_degraded', backend, reason: this.#deps.redact(state.degraded) });
    } else if (state.state === 'running' && previous.state === 'running')
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
      this.#failure(state.error.message);
      events.record({
        type: 'gateway.backend_failed',
        backend,
        reason: this.#deps.redact(state.error.message),
        retryInMs: Math.max(0, state.retryAt - Date.now()),
      });
    }
    observer.stateChanged(this);
  }
}
