import { setTimeout as delay } from 'node:timers/promises';
import { createSeal } from '../../kernel/seal.ts';
import { messageOf, toAppError } from '../../kernel/errors.ts';
import { backoff } from '../../kernel/retry.ts';
import type { Shared } from '../../kernel/shared.ts';
import type { Settings } from '../../store/store.ts';
import { DEFAULT_INSTANCE } from '../../nodes/which-n8n.ts';
import type { Login } from '../client/session.ts';
import { setWhere } from '../client/set-where.ts';
import type { N8nEvents } from '../facts.ts';
import type { OwnRecords } from '../generate/records.ts';
import { ownerOf } from '../generate/owner.ts';
import { provision } from './provision.ts';

/** n8n counts logins, so one that it refused is tried rarely. */
const REFUSED_MS = 60_000;
/** While n8n cannot be reached. */
const RETRY = { first: 1000, most: 20_000 };

/** An n8n whose owner's login is known, and that has no API key in the configuration. */
export interface KeylessN8n {
  readonly url: string;
  readonly owner: Login;
}

export interface OwnKeys extends AsyncDisposable {
  /** Reads the keys that were made before, and begins to make the missing ones. Waits for no n8n. */
  configure(wanted: ReadonlyMap<string, KeylessN8n>): Promise<void>;
  get(instance: string): string | undefined;
  /** n8n does not accept its key: makes another one. */
  refused(instance: string): void;
  /** What Sluice waits for; undefined if it makes no key for this n8n, or has one that n8n accepts. */
  waiting(instance: string): { readonly words: string; readonly failed: boolean } | undefined;
  secrets(): readonly string[];
}

interface Making {
  readonly n8n: KeylessN8n;
  readonly ending: AbortController;
  key?: string | undefined;
  /** The key that n8n's clients have. */
  applied?: string | undefined;
  problem?: { readonly reason: string; readonly isAway: boolean } | undefined;
  work?: Promise<void> | undefined;
}

/** API keys that Sluice makes itself, as the owner of an n8n. They are sealed in the store. */
export function createOwnKeys(deps: {
  readonly stored: Settings;
  readonly records: OwnRecords;
  readonly shared: Pick<Shared, 'lead' | 'peers'>;
  readonly events: N8nEvents;
  redact(text: string): string;
  /** There is a new key. */
  made(): Promise<void>;
}): OwnKeys {
  const all = new Map<string, Making>();
  const place = (instance: string) => `n8n.own-key.${instance}`;
  const sealing = async () => createSeal(await deps.stored.secret('n8n.own-keys'));
  /** Bound to the address: the key of one n8n is never sent to another. */
  const about = (instance: string, url: string) => `the API key of n8n ${instance} at ${url}`;

  async function read(instance: string, { url }: KeylessN8n): Promise<string | undefined> {
    const sealed = await deps.stored.get(place(instance));
    if (typeof sealed !== 'string') return undefined;
    const { open } = await sealing();
    try {
      return open(sealed, about(instance, url));
    } catch {
      // It is for another address, or the store has another key: a new one replaces it.
      return undefined;
    }
  }

  async function write(instance: string, { url }: KeylessN8n, key: string): Promise<void> {
    const { seal } = await sealing();
    await deps.stored.put(place(instance), seal(key, about(instance, url)));
  }

  /** Replicas take turns, and use the key that another one made. */
  async function makeOne(instance: string, n8n: KeylessN8n, signal: AbortSignal): Promise<string> {
    const work = async (lost?: AbortSignal): Promise<string> => {
      const known = await read(instance, n8n);
      const provisioning = { label: `Sluice ${await ownerOf(deps.records)}`, ...remedies(instance) };
      const ending = lost ? AbortSignal.any([signal, lost]) : signal;
      const key = await provision(n8n.url, { ...n8n.owner, apiKey: known }, provisioning, ending);
      if (key === known) return key;
      await write(instance, n8n, key);
      deps.events.record({ type: 'n8n.key_made', instance });
      return key;
    };
    if (!deps.shared.peers) return work();
    const { alone } = await import('../../kernel/alone.ts');
    return alone(deps.shared, `n8n key ${instance}`, work, { signal });
  }

  async function make(instance: string, making: Making): Promise<void> {
    const { signal } = making.ending;
    for (let failures = 1; ; failures++) {
      try {
        making.key = await makeOne(instance, making.n8n, signal);
        making.problem = undefined;
        if (making.key !== making.applied) await deps.made();
        making.applied = making.key;
        return;
      } catch (error) {
        if (signal.aborted) return;
        const reason = deps.redact(messageOf(error));
        const isAway = toAppError(error).code === 'unavailable';
        // An n8n that does not answer, or starts, is reported by its own health.
        if (reason !== making.problem?.reason && !isAway)
          deps.events.record({ type: 'n8n.key_failed', instance, reason });
        making.problem = { reason, isAway };
        const wait = isAway ? backoff(failures, RETRY) : REFUSED_MS;
        await delay(wait, undefined, { signal }).catch(() => {});
        if (signal.aborted) return;
      }
    }
  }

  function begin(instance: string, making: Making): void {
    making.work ??= make(instance, making).finally(() => {
      making.work = undefined;
    });
  }

  async function end(making: Making): Promise<void> {
    making.ending.abort();
    await making.work;
  }

  return {
    async configure(wanted) {
      for (const [instance, making] of all) {
        const now = wanted.get(instance);
        if (now && JSON.stringify(now) === JSON.stringify(making.n8n)) continue;
        all.delete(instance);
        // Not awaited: this may be called because of the key that it has just made.
        making.ending.abort();
      }
      for (const [instance, n8n] of wanted) {
        if (all.has(instance)) continue;
        const making: Making = { n8n, ending: new AbortController() };
        all.set(instance, making);
        making.key = await read(instance, n8n);
        making.applied = making.key;
        if (!making.ending.signal.aborted) begin(instance, making);
      }
    },
    get: (instance) => all.get(instance)?.key,
    refused(instance) {
      const making = all.get(instance);
      if (making) begin(instance, making);
    },
    waiting(instance) {
      const making = all.get(instance);
      if (!making) return undefined;
      const { key, problem } = making;
      if (key !== undefined && problem?.isAway !== false) return undefined;
      if (problem === undefined) return { words: 'Sluice is making an API key', failed: false };
      return { words: `Sluice cannot make an API key yet: ${problem.reason}`, failed: true };
    },
    secrets: () => [...all.values()].flatMap(({ key }) => key ?? []),
    async [Symbol.asyncDispose]() {
      await Promise.all([...all.values()].map(end));
    },
  };
}

function remedies(instance: string) {
  const isDefault = instance === DEFAULT_INSTANCE;
  const owner = isDefault ? 'N8N_OWNER_EMAIL and N8N_OWNER_PASSWORD (or n8n.default.owner)' : `n8n.${instance}.owner`;
  const otherwise = `create an API key in n8n under Settings > n8n API and set it in ${setWhere(instance, 'apiKey')}`;
  return {
    wrongPassword: `n8n does not accept the owner's email and password. Correct ${owner}, or ${otherwise}.`,
    secondFactor: `The owner signs in to n8n with a second factor, which Sluice does not have. Switch it off, or ${otherwise}.`,
  };
}
