import { AppError, messageOf, toAppError } from '../../kernel/errors.ts';
import type { GatewayEvents } from '../facts.ts';
import type { Json } from '../../kernel/source.ts';
import type { Catalogue as StoredCatalogue, Store } from '../../store/store.ts';
import { needsLogin } from '../../wire/credentials.ts';
import type { Upstream } from '../../wire/upstream.ts';
import {
  type Catalogue,
  emptyCatalogue,
  fetchList,
  fingerprintOf,
  type ListKind,
  listKinds,
  restoredCatalogue,
} from './catalogue.ts';
import { createDefinitions } from './definitions.ts';
import { createExpiry } from './expiry.ts';
import type { HeldSince } from './held-definitions.ts';
import type { BackendSettings } from '../settings.ts';

const PROBE_AGAIN_MS = 24 * 3_600_000;
const REFRESH_MS = 1000;
const REFRESH_MAX_MS = 60_000;
/**
 * How long to wait until the lists are read again because of another replica. The wait doubles while that goes on: a
 * server whose lists differ each time would keep two replicas busy with each other.
 */
const PEER_REST_MS = 5000;
const PEER_REST_MAX_MS = 600_000;

export type Offer = ReturnType<typeof createOffer>;

/** A tool whose definition changed, and which is not listed until somebody accepts that. */
export interface HeldTool extends Partial<HeldSince> {
  readonly tool: string;
  /** Of the new definition. */
  readonly hash: string;
  readonly offered: Json | undefined;
}

/** What a backend offers: stored over restarts, read when it starts, and read again when it announces a change. */
export function createOffer(options: {
  server: string;
  settings(): BackendSettings;
  store: Pick<Store, 'catalogues' | 'definitions' | 'shared' | 'tables'>;
  events: GatewayEvents;
  ask(upstream: Upstream, method: string, params: Json): ReturnType<Upstream['request']>;
  running(): Upstream | undefined;
  /** Whether any client would be notified of a change. */
  wanted(): boolean;
  changed(kinds: readonly ListKind[]): void;
  failed(error: AppError): void;
}) {
  const { server, store } = options;
  const fingerprint = fingerprintOf(options.settings());
  const definitions = createDefinitions({
    server,
    hold: () => options.settings().onChange === 'hold',
    store: store.definitions,
    tables: store.tables,
    async stored() {
      // Whatever it was read with: only the definitions count.
      const known = (await store.catalogues.get(server))?.value;
      return restoredCatalogue(known)?.tools ?? [];
    },
    shared: store.shared,
    events: options.events,
  });
  /** Lists to read again -> whether the server itself announced the change. */
  const stale = new Map<ListKind, boolean>();
  const expiry = createExpiry({ wanted: () => options.wanted(), expired: (kinds) => refresh(kinds, false) });
  let catalogue: Catalogue | undefined;
  let refreshing = false;
  let tries = 0;
  let timer: NodeJS.Timeout | undefined;
  /** What this process stored last. */
  let saved: string | undefined;
  let saving: Promise<void> = Promise.resolve();
  const rest = createRest();

  const fetch = (kind: ListKind, upstream: Upstream) =>
    fetchList(kind, upstream.handshake.capabilities, (method, params) => options.ask(upstream, method, params));

  /** A server that spoke only 2025 is probed for 2026 again once a day, not at every start. */
  const knownLegacy = () => catalogue?.era === 'legacy' && Date.now() - catalogue.probedAt < PROBE_AGAIN_MS;

  /** Whether a 2026 server also speaks 2025; undefined if not known, or known for too long. */
  function speaksLegacy(): boolean | undefined {
    const known = catalogue?.legacy;
    return known && Date.now() - known.at < PROBE_AGAIN_MS ? known.spoken : undefined;
  }

  function learnLegacy(spoken: boolean): void {
    if (!catalogue || speaksLegacy() === spoken) return;
    catalogue = { ...catalogue, legacy: { spoken, at: Date.now() } };
    keep(catalogue);
  }

  function adopt(next: Catalogue, isChanged: (kind: ListKind, before: Catalogue | undefined) => boolean): void {
    const changed = listKinds.filter((kind) => isChanged(kind, catalogue));
    catalogue = next;
    if (changed.length > 0) options.changed(changed);
  }

  const listDiffers = (kind: ListKind, before: Catalogue | undefined, next: Catalogue) =>
    JSON.stringify(before?.[kind] ?? []) !== JSON.stringify(next[kind]);

  /** Replaces the whole catalogue. Clients are notified of lists that differ, also if only their cache hint does. */
  function adoptAll(next: Catalogue): void {
    adopt(
      next,
      (kind, before) =>
        listDiffers(kind, before, next) ||
        (before !== undefined && JSON.stringify(before.hints[kind]) !== JSON.stringify(next.hints[kind])),
    );
  }

  /** Lists what another replica could read, for example because somebody signed in there. */
  async function adoptOther(other: Catalogue): Promise<void> {
    await definitions.reread(other.tools);
    if (!catalogue) adoptAll(other);
  }

  function keep(next: Catalogue): void {
    const text = store.shared.peers && storedForm(next);
    // Other replicas read their lists again after each change of what is stored.
    if (text !== undefined && text === saved) return;
    // One after the other: on several connections the older one could be stored last.
    saving = saving
      .then(() => store.catalogues.put(server, fingerprint, next))
      .then(() => {
        saved = text;
      })
      .catch((cause: unknown) => options.failed(storeProblem('its catalogue could not be saved', cause)));
  }

  /** The stored catalogue, if it is usable. Otherwise it is read when the server runs. */
  async function stored(): Promise<Catalogue | undefined> {
    try {
      const known = await store.catalogues.get(server);
      return known?.fingerprint === fingerprint ? restoredCatalogue(known.value) : undefined;
    } catch (cause) {
      options.failed(storeProblem('its stored catalogue cannot be read', cause));
      return undefined;
    }
  }

  /** Reads all lists. A list that fails does not affect the others. */
  async function read(upstream: Upstream): Promise<void> {
    const next = emptyCatalogue(upstream.handshake, knownLegacy() ? (catalogue?.probedAt ?? Date.now()) : Date.now());
    const results = await Promise.all(listKinds.map((kind) => fetch(kind, upstream).catch(toAppError)));
    // Another version of the server may speak another era.
    const isSame = JSON.stringify(catalogue?.info) === JSON.stringify(next.info);
    if (catalogue?.legacy && isSame) next.legacy = catalogue.legacy;
    // Fail: without a login the server would seem to offer nothing.
    for (const result of results) if (result instanceof AppError && needsLogin(result)) throw result;
    listKinds.forEach((kind, index) => {
      const result = results[index];
      if (result instanceof AppError || result === undefined) {
        next.rejected.push(messageOf(result));
        next[kind] = catalogue?.[kind] ?? [];
        stale.set(kind, true);
        return;
      }
      next[kind] = result.items;
      next.hints[kind] = result.hint;
      next.rejected.push(...result.rejected);
    });
    // If every list failed, the server is not up.
    if (results.every((result) => result instanceof AppError)) throw results[0];
    await definitions.compare(next.tools);
    keep(next);
    adoptAll(next);
    expiry.read(next, listKinds);
  }

  async function readStale(): Promise<void> {
    while (stale.size > 0) {
      const upstream = options.running();
      // It is still starting: stale lists are read once it runs.
      if (!upstream || !catalogue) return;
      const due = new Map(stale);
      stale.clear();
      const lists = new Map<ListKind, Awaited<ReturnType<typeof fetch>>>();
      try {
        for (const kind of due.keys()) lists.set(kind, await fetch(kind, upstream));
        const tools = lists.get('tools');
        if (tools) await definitions.compare(tools.items);
      } catch (error) {
        for (const [kind, announced] of due) stale.set(kind, announced || stale.get(kind) === true);
        throw error;
      }
      // Keep the other lists: they may have been read meanwhile.
      const next: Catalogue = { ...catalogue, hints: { ...catalogue.hints } };
      for (const [kind, { items, hint }] of lists) {
        next[kind] = items;
        next.hints[kind] = hint;
      }
      keep(next);
      // Pass on a change that the backend announced even if the list is equal: the backend may know why.
      adopt(next, (kind, before) => due.get(kind) === true || (due.has(kind) && listDiffers(kind, before, next)));
      expiry.read(next, [...due.keys()]);
    }
  }

  /** Several notices in a row cause one read. */
  function refresh(kinds: readonly ListKind[], announced = true): void {
    for (const kind of kinds) stale.set(kind, announced || stale.get(kind) === true);
    if (refreshing || stale.size === 0) return;
    refreshing = true;
    void readStale()
      .then(
        () => {
          tries = 0;
        },
        (error: unknown) => {
          options.failed(toAppError(error));
          // Retry, or the server would run without its tools for ever.
          clearTimeout(timer);
          timer = setTimeout(() => refresh([]), Math.min(REFRESH_MAX_MS, REFRESH_MS * 2 ** tries++));
          timer.unref();
        },
      )
      .finally(() => {
        refreshing = false;
      });
  }

  return {
    catalogue: () => catalogue,
    held: definitions.held,
    /** The tools that are held back: what they are now, and what they were when they were accepted. */
    async heldTools(): Promise<HeldTool[]> {
      const earlier = await definitions.earlier();
      return [...definitions.held].map(([tool, hash]) => ({
        tool,
        hash,
        ...earlier.get(tool),
        offered: catalogue?.tools.find(({ name }) => name === tool),
      }));
    },
    knownLegacy,
    speaksLegacy,
    learnLegacy,
    read,
    refresh,
    /** Loads the stored catalogue, or the one before, so that its tools are listed before the backend runs. */
    async restore(before?: Catalogue): Promise<void> {
      const kept = (await stored()) ?? before;
      await definitions.restore(kept?.tools ?? []);
      if (kept && store.shared.peers) saved = storedForm(kept);
      if (kept) adoptAll(kept);
    },
    /** A replica stored this. If its lists differ from ours, our connection may have missed a change. */
    heard(known: StoredCatalogue): void {
      if (known.fingerprint !== fingerprint) return;
      rest.take(known.savedAt, () => {
        const other = restoredCatalogue(known.value);
        if (!other) return false;
        if (!catalogue) {
          void adoptOther(other).catch((cause: unknown) =>
            options.failed(storeProblem('its stored catalogue cannot be used', cause)),
          );
          return false;
        }
        const differing = listKinds.filter((kind) => listDiffers(kind, catalogue, other));
        refresh(differing, false);
        return differing.length > 0;
      });
    },
    /** Another replica may have accepted tools. */
    async acceptedElsewhere(): Promise<void> {
      if (await definitions.reread(catalogue?.tools ?? [])) options.changed(['tools']);
    },
    async accept(tool?: string): Promise<string[]> {
      const accepted = await definitions.accept(tool);
      if (accepted.length > 0) options.changed(['tools']);
      return accepted;
    },
    /** Whether changed tools are held back may have changed. */
    onChangeChanged: (): Promise<void> => definitions.restore(catalogue?.tools ?? []),
    /** A client is interested: reads lists that have expired. */
    attend: expiry.attend,
    stop(): void {
      clearTimeout(timer);
      rest.stop();
      expiry.stop();
    },
    /** Deletes everything that is stored about the server. */
    async forget(): Promise<void> {
      await store.catalogues.delete(server);
      await definitions.forget();
    },
  };
}

/** What other replicas want to know. Without the time of a probe, which is new at each read of a 2026 server. */
function storedForm({ probedAt, ...catalogue }: Catalogue): string {
  return JSON.stringify(catalogue.era === 'legacy' ? { ...catalogue, probedAt } : catalogue);
}

/** Looks at each version once, and rests after one that made work. */
function createRest() {
  let seen = '';
  let ms = 0;
  let until = 0;
  let timer: NodeJS.Timeout | undefined;

  function take(version: string, work: () => boolean): void {
    if (version === seen) return;
    clearTimeout(timer);
    const now = performance.now();
    if (now < until) {
      timer = setTimeout(() => take(version, work), until - now).unref();
      return;
    }
    seen = version;
    if (!work()) return;
    ms = now - until < ms ? Math.min(2 * ms, PEER_REST_MAX_MS) : PEER_REST_MS;
    until = now + ms;
  }

  return { take, stop: () => clearTimeout(timer) };
}

function storeProblem(what: string, cause: unknown): AppError {
  return new AppError('internal', `${what}: ${messageOf(cause)}`, { cause });
}
