import { late } from '../../kernel/late.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Progress } from '../../kernel/progress.ts';
import { mayGenerate } from '../consent.ts';
import type { Found } from '../discover.ts';
import { type Names, openNames, toolNamer } from './endpoint-names.ts';
import { serverName, serverOf } from './endpoint-servers.ts';
import { emptyState, type EndpointState, type EndpointStates, openEndpointStates } from './endpoint-state.ts';
import type { BridgeDeps, Exposer } from '../exposer.ts';
import { endpointTools } from '../loops/endpoint-tools.ts';
import { alignInstance } from './generate/align-instance.ts';
import type { Endpoint } from './generate/endpoint-group.ts';
import { headerSecret } from '../../n8n/generate/header.ts';
import { slugOf } from '../identity.ts';
import { onlyNamed } from '../live/named-places.ts';
import { judgeTools, type SourceVerdict, type ToolVerdict, wantedOf } from './wanted-tools.ts';
import { own } from '../../kernel/own.ts';

/** How often broken endpoints are checked. */
const WATCH_MS = 10_000;
/** Checks of what stays broken back off to every 60th interval. */
const SELDOM = 60;

export interface Endpoints extends Exposer {
  /** For every workflow with AI tools, chosen or not. */
  judge(instance: string, found: readonly Found[]): SourceVerdict[];
  state(instance: string): EndpointState;
  /** The prefix that a workflow's tools have, or would have. */
  slug(instance: string, workflow: { readonly id: string; readonly name: string }): string;
  /** Like `update`, with progress. `recheck` retries what n8n refused before. */
  align(
    instance: string,
    found: readonly Found[],
    signal: AbortSignal,
    progress?: Progress,
    recheck?: boolean,
  ): Promise<void>;
  /** Passes the current servers to the gateway if they changed, for example because n8n has another address. */
  publish(): Promise<void>;
  /** Everything generated was deleted: drops its servers and names. */
  removed(instance: string): Promise<void>;
}

/** n8n's AI tools as servers of the gateway, one per generated endpoint. */
export function createEndpoints(deps: BridgeDeps): Endpoints {
  const reading = () =>
    late(async () => ({
      names: await openNames(deps.records),
      states: await openEndpointStates(deps.records),
    }));
  let opened = reading();
  let kept: { names: Names; states: EndpointStates } | undefined;
  const secrets = new Map<string, string>();
  const misses = new Map<string, number>();
  /** Instances whose generated workflows we have listed. */
  const seen = new Set<string>();
  /** By instance: the gateway's URLs when it was last aligned. */
  const ownUrls = new Map<string, string>();
  /** The servers last passed to the gateway. */
  let served = '{}';
  let looksAfter: Promise<void> | undefined;

  async function open() {
    kept = await opened();
    return kept;
  }

  function servers(): Record<string, ReturnType<typeof serverOf>> {
    const all: Record<string, ReturnType<typeof serverOf>> = {};
    for (const instance of kept?.states.instances() ?? []) {
      const secret = secrets.get(instance);
      const settings = deps.settings(instance);
      if (secret === undefined || !deps.instances.names().includes(instance) || !settings.enabled) continue;
      const { url, presence } = deps.instances.get(instance);
      const { endpoints, sources } = (kept as { states: EndpointStates }).states.get(instance);
      for (const endpoint of endpoints) {
        const source = Object.hasOwn(sources, endpoint.source) ? sources[endpoint.source] : undefined;
        if (!source || endpoint.problem !== undefined) continue;
        all[serverName(source.slug, endpoint)] = serverOf(endpoint, source, {
          name: instance,
          url,
          secret,
          settings,
          presence,
          nesting: deps.loops,
        });
      }
    }
    return all;
  }

  deps.loops.add((all) =>
    [...all].flatMap(([instance, found]) => endpointTools(instance, kept?.states.get(instance) ?? emptyState, found)),
  );

  async function publish(): Promise<void> {
    deps.loops.changed();
    const now = JSON.stringify(servers());
    if (now === served) return;
    served = now;
    await deps.serversChanged();
  }

  function judge(instance: string, found: readonly Found[]): SourceVerdict[] {
    const settings = deps.settings(instance);
    const verdicts = found
      .filter(({ aiTools }) => aiTools.length > 0)
      .map((one) => {
        const slug = kept?.names.slug(instance, one.id) ?? slugOf(one.name, one.id);
        const chosen = one.toolsChosen;
        const nameOf = kept?.names.namer(instance, one) ?? toolNamer(instance, one);
        const tools = judgeTools(one, {
          slug,
          nameOf: ({ node }) => nameOf(node),
          settings,
          ownUrls: deps.ownUrls(),
        });
        return { found: one, slug, tools, ...(chosen !== undefined && { chosen }) };
      });
    const named = deps.named?.(instance);
    return named ? onlyNamed(verdicts, named) : verdicts;
  }

  async function align(
    instance: string,
    found: readonly Found[],
    signal: AbortSignal,
    progress?: Progress,
    recheck = false,
  ): Promise<void> {
    const { names, states } = await open();
    secrets.set(instance, await headerSecret(deps.records, instance));
    ownUrls.set(instance, deps.ownUrls().join());
    const chosen = judge(instance, found).filter((one) => one.chosen !== undefined);
    const may = await mayGenerate(deps, instance);
    const wanted = may ? chosen.filter(({ tools }) => tools.some(isFit)) : [];
    // n8n may hold generated workflows that are not in our store, if we were killed before we stored them.
    const isKnown = !may || (seen.has(instance) && !recheck);
    if (wanted.length === 0 && states.get(instance).endpoints.length === 0 && isKnown) return publish();
    await names.assign(
      instance,
      found,
      wanted.map((one) => one.found),
      deps.taken(),
    );
    const again = new Map(judge(instance, found).map(({ found: { id }, tools }) => [id, tools]));
    const facts = wanted.map(({ found: one }) => ({
      wanted: wantedOf(instance, one, again.get(one.id) ?? [], names),
      facts: {
        slug: names.slug(instance, one.id) ?? slugOf(one.name, one.id),
        name: one.name,
        tags: one.tags,
        // They are listed under the names of the shared file.
        ...(one.toolsChosen === 'file' && { unlisted: true as const }),
      },
    }));
    const before = states.get(instance);
    try {
      await alignInstance(
        { client: deps.instances.get(instance), records: deps.records, signal },
        facts,
        recheck ? { ...before, endpoints: before.endpoints.map(doubted), refused: {} } : before,
        (change) => states.change(instance, change),
        progress,
      );
      await states.solved(instance);
      seen.add(instance);
    } catch (error) {
      await states.change(instance, { problem: deps.redact(messageOf(error)) });
      throw error;
    } finally {
      await publish();
      await deps.reread?.(rewritten(before, states.get(instance)));
    }
  }

  /** Tries to repair what is broken: a failing server of the gateway, or an endpoint without tools. */
  async function lookAfter(): Promise<void> {
    const { states } = await open();
    // One unreachable n8n must not block the others.
    for (const instance of states.instances())
      if (deps.instances.names().includes(instance) && deps.settings(instance).enabled)
        await lookAfterOne(instance, states).catch(() => {});
  }

  async function lookAfterOne(instance: string, states: EndpointStates): Promise<void> {
    const failing = new Set(deps.failing?.() ?? []);
    const { endpoints, sources, problem } = states.get(instance);
    const broken = endpoints.some((one) => one.problem !== undefined) || problem !== undefined;
    const down = endpoints.filter((one) => failing.has(serverName(own(sources, one.source)?.slug ?? '', one)));
    const moved = ownUrls.get(instance) !== deps.ownUrls().join();
    const missed = (misses.get(instance) ?? 0) + 1;
    misses.set(instance, broken || down.length > 0 ? missed : 0);
    const isDue = Number.isInteger(Math.log2(missed)) || missed % SELDOM === 0;
    if (!moved && !((broken || down.length > 0) && isDue)) return;
    await deps.exclusively(instance, async (found, signal) => {
      // Without its hash, an endpoint is probed again. Read the state again: it may have changed while we waited.
      const isDown = ({ workflow }: Endpoint) => down.some((one) => one.workflow === workflow);
      const suspects = states.get(instance).endpoints.map((one) => (isDown(one) ? { ...one, hash: '' } : one));
      await states.change(instance, { endpoints: suspects });
      await align(instance, found, signal, undefined, true);
    });
  }

  const timer = setInterval(() => {
    // Skip this check if the last one still runs.
    looksAfter ??= lookAfter()
      .catch(() => {})
      .finally(() => {
        looksAfter = undefined;
      });
  }, WATCH_MS).unref();

  async function restore(): Promise<void> {
    const { states } = await open();
    for (const instance of states.instances()) {
      if (states.get(instance).endpoints.length === 0) continue;
      secrets.set(instance, await headerSecret(deps.records, instance));
    }
  }

  return {
    sources: [],
    judge,
    align,
    publish,
    servers,
    state: (instance) => kept?.states.get(instance) ?? emptyState,
    slug: (instance, { id, name }) => kept?.names.slug(instance, id) ?? slugOf(name, id),
    secrets: () => [...secrets.values()],
    restore,
    async reread() {
      opened = reading();
      await restore();
    },
    update: (instance, found, signal) => align(instance, found, signal),
    async removed(instance) {
      const { names, states } = await open();
      await names.forget(instance);
      await states.change(instance, emptyState);
      await publish();
    },
    async forget() {
      await publish();
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
    },
  };
}

/** Servers whose settings are unchanged, but whose workflow was rewritten: the gateway must list them again. */
function rewritten(before: EndpointState, after: EndpointState): string[] {
  return after.endpoints.flatMap((endpoint) => {
    const slug = own(after.sources, endpoint.source)?.slug;
    const old = before.endpoints.find((one) => one.source === endpoint.source && one.part === endpoint.part);
    const isSame =
      old?.hash === endpoint.hash && old.workflow === endpoint.workflow && !old.problem === !endpoint.problem;
    return slug === undefined || !old || isSame ? [] : [serverName(slug, endpoint)];
  });
}

/** A broken endpoint is probed again, because it has no hash. Its part stays: a tool with its own endpoint keeps it. */
const doubted = (endpoint: Endpoint): Endpoint =>
  endpoint.problem === undefined ? endpoint : { ...endpoint, hash: '' };

const isFit = ({ reason }: ToolVerdict): boolean => reason === undefined;
