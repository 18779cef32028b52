import { join } from 'node:path';
import type { Auth } from '../auth/part.ts';
import type { GatewayApi } from '../gateway/open.ts';
import { tryLock } from '../host/process-lock.ts';
import { AppError, messageOf } from '../kernel/errors.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Progress } from '../kernel/progress.ts';
import { createSeal } from '../kernel/seal.ts';
import type { CallContext, Json } from '../kernel/source.ts';
import { readAddress } from '../store/postgres/address.ts';
import type { StoreApi } from '../store/part.ts';
import { act } from './acts/acts.ts';
import type { World } from './definition/world.ts';
import type { Engine } from './engine/engine.ts';
import { createEvaluator, type Evaluator } from './expressions/evaluator.ts';
import type { Definable } from './library/library.ts';
import { createCarrier } from './runs/carrier.ts';
import type { CarryDeps } from './runs/carrying.ts';
import { createJournal } from './runs/journal.ts';
import { createQueue } from './runs/queue.ts';
import { isOpen, type Run, type RunHead } from './runs/run.ts';
import { maskOf, maskValue } from './runs/secrets.ts';
import { isForPeople } from './runs/refusal.ts';
import { confirmedTexts } from './service/confirmed-texts.ts';
import { createControl } from './service/control.ts';
import { createDefinitions, type KnownDefinitions } from './service/definitions.ts';
import { type Deployment, deploy, type DeployDeps, prepare } from './service/deploying.ts';
import { followRun } from './service/following.ts';
import { plan } from './service/plan.ts';
import { createSchedules, nextAfter } from './service/schedules.ts';
import { confirmedSteps, stepsOf } from './service/steps-of.ts';
import { viewHead } from './service/view.ts';
import { createWatching } from './service/watching.ts';
import type { BlueprintHost, BlueprintSection } from './settings.ts';

export interface RuntimeDeps {
  readonly host: BlueprintHost;
  readonly store: StoreApi;
  readonly gateway: GatewayApi;
  readonly auth: Auth;
  readonly library: Definable;
  section(): BlueprintSection;
  /** Progress of a run, for others to read. */
  published(run: string): void;
}

const ENGINE_FILE = 'runs.db';
/** The engine of a part that only a person can begin. */
const NOBODY = '-';

export type Runtime = Awaited<ReturnType<typeof openRuntime>>;

/** Everything about runs. Opened with the first use. */
export async function openRuntime({ host, store, gateway, auth, library, section, published }: RuntimeDeps) {
  const { tables } = host.store;
  const secret = await host.store.settings.secret('blueprints');
  const seal = createSeal(secret);
  const journal = createJournal(tables, secret);
  const schedules = createSchedules(tables, seal);
  const watching = createWatching();
  const resting = new AbortController();
  const stopping = new AbortController();
  /** The definition that each call asks a confirmation for. */
  const asked = new WeakMap<CallContext, string>();
  let evaluating: Evaluator | undefined;
  let opening: Promise<Engine | undefined> | undefined;
  let engine: Engine | undefined;
  let lock: Disposable | undefined;
  let trouble: string | undefined;

  const evaluator = async () => (evaluating ??= strict(createEvaluator()));
  const tool = (name: string, args: Json = {}) => gateway.reached(name, args);
  const isReadOnly = () => gateway.settings().readOnly === true;
  const services = () => [...new Set(gateway.registry.all().map(({ source }) => source))].sort();

  function changed(run: string): void {
    watching.changed(run);
    published(run);
  }

  const carryDeps: CarryDeps = {
    journal,
    events: host.events,
    evaluator,
    act: (action, acting) =>
      act(action, acting, {
        call: (name, args, context, meta) => gateway.call(name, args, context, undefined, meta),
      }),
    tool,
    isReadOnly,
    services,
    standing: (principal) => auth.standing(principal),
    async eventsAfter(type, after, own) {
      const filter = { type, ...(own && { own }) };
      return (await host.store.events.follow(filter, after)).events;
    },
    async lastEvent() {
      // What happened before is not what is waited for, even if it is not stored yet.
      await host.events.flush().catch(() => {});
      return host.store.outbox.lastId();
    },
    start,
    aim: (run, goal) => control.aim(run, goal),
    wake,
    begin,
    trouble: (error) => (trouble = messageOf(error)),
    redact: host.redact,
    changed,
    replica: host.shared.peers?.self,
    resting: resting.signal,
    stopping: stopping.signal,
  };
  const carrier = createCarrier(carryDeps);

  const queue = createQueue({
    journal,
    places: () => section().atOnce * (host.shared.peers?.all().length ?? 1),
    engine: openEngine,
  });

  /** What cannot begin now is found by the next sweep, perhaps of the process that has the engine. */
  async function begin(): Promise<void> {
    try {
      if (!(await queue.fill())) host.shared.tell('blueprints');
    } catch (error) {
      trouble = messageOf(error);
    }
  }

  /** Gives a part to the engine though it is not its turn: for a time, or because it may have it already. */
  async function give(run: string, part: number, at?: number): Promise<void> {
    try {
      const here = at === Number.POSITIVE_INFINITY ? undefined : await openEngine();
      if (here) await journal.givenTo(run, part, await here.start({ run, part }, at));
      else if (at === Number.POSITIVE_INFINITY) await journal.givenTo(run, part, NOBODY);
      else host.shared.tell('blueprints');
    } catch (error) {
      trouble = messageOf(error);
    }
  }

  function start(run: string, part: number, at?: number): Promise<void> {
    return at === undefined ? begin() : give(run, part, at);
  }

  async function wake(run: RunHead): Promise<void> {
    if (run.state === 'waiting' && (await hasCome(run)) && (await journal.next(run))) await start(run.id, run.part + 1);
  }

  async function hasCome({ id, waits }: RunHead): Promise<boolean> {
    if (waits?.for === 'approval') return (await journal.decision(id, waits.step, waits.ask)) !== undefined;
    if (waits?.for !== 'blueprint') return false;
    const children = await Promise.all(waits.runs.map((run) => journal.head(run)));
    return children.every((child) => !child || !isOpen(child.state));
  }

  /** The engine of this process; undefined if another process of the same home has it. */
  function openEngine(): Promise<Engine | undefined> {
    opening ??= loadEngine().then(
      (opened) => {
        if (!opened) opening = undefined;
        return (engine = opened);
      },
      (error: unknown) => {
        opening = undefined;
        trouble = messageOf(error);
        throw error;
      },
    );
    return opening;
  }

  async function loadEngine(): Promise<Engine | undefined> {
    if (stopping.signal.aborted) throw new AppError('unavailable', 'Sluice is stopping.');
    const place = store.place();
    if (place.kind === 'sqlite' && !(lock ??= await tryLock(join(host.home, 'runs.lock')))) return undefined;
    const [{ openEngine: openOn }, backends] = await Promise.all([
      import('./engine/open-workflow.ts'),
      import('./engine/backends.ts'),
    ]);
    const address = place.kind === 'postgres' ? readAddress(place.url) : undefined;
    if (address && 'problem' in address) throw new AppError('invalid_input', `store ${address.problem}`);
    const opened = address
      ? await backends.postgresBackend(address, stopping.signal)
      : await backends.sqliteBackend(join(host.home, ENGINE_FILE));
    return openOn(opened, carrier, {
      leaseMs: section().takeover,
      atOnce: section().atOnce,
      trouble: (error) => (trouble = error === undefined ? undefined : messageOf(error)),
    });
  }

  const world = (known: KnownDefinitions): World => ({
    tool(name) {
      const found = gateway.registry.find(name);
      if (!found) return undefined;
      const { entry } = found;
      const { annotations } = entry.wire;
      return {
        name: found.name,
        inputSchema: entry.wire.inputSchema,
        ...(entry.declaresConfirm && { declaresConfirm: true }),
        ...(annotations?.readOnlyHint === true && { reads: true }),
        ...(annotations?.idempotentHint === true && { idempotent: true }),
        ...(isForPeople(found) && { isForPeople: true }),
      };
    },
    toolNames: () => gateway.registry.all().map(({ name }) => name),
    absence: (name) =>
      gateway.registry
        .sources()
        .map((source) => source.absence?.(name))
        .find((reason) => reason !== undefined),
    sources: () => new Set(services()),
    blueprint: (name) => known.get(name),
    blueprintNames: () => [...known.keys()],
  });

  /** A principal as people know it. */
  async function nameOf(id: string): Promise<string> {
    const key = (await host.store.keys.list()).find((one) => `key:${one.id}` === id);
    return key ? `${key.grant.name} (${id})` : id;
  }

  const definitions = createDefinitions({ library, world, evaluator });
  const confirmed = confirmedTexts(tables, nameOf);
  const deployDeps: DeployDeps = {
    journal,
    definitions,
    events: host.events,
    evaluator,
    tool,
    reachable: gateway.reachable,
    isReadOnly,
    services,
    start: (run, part) => start(run, part),
    changed,
    confirmed,
    secret,
  };
  const control = createControl({
    journal,
    events: host.events,
    start: (run, part) => start(run, part),
    wake,
    redirect(run) {
      carrier.redirect(run);
      host.shared.tell('blueprints');
    },
    changed,
    refused: ({ definition, nested }, principal) =>
      stepsOf(definition, nested, principal, deployDeps).find(({ refused }) => refused !== undefined),
    isAuthOn: () => auth.settings().mode !== 'none' || auth.settings().token !== undefined,
  });

  return {
    journal,
    schedules,
    watching,
    definitions,
    control,
    tool,
    services,
    redact: host.redact,
    seal,
    events: host.events,
    changed,
    start,
    begin,
    give,
    wake,
    /** What a confirmation of this call holds for: a definition, which is the only one that the call can deploy then. */
    async asks(name: string, call: CallContext): Promise<string> {
      const { hash } = await definitions.ready(name);
      asked.set(call, hash);
      return hash;
    },
    confirmedTexts: confirmed,
    nameOf,
    /** The definition that was confirmed with this call, if a confirmation was needed. */
    confirmedBy: (call: CallContext): string | undefined => asked.get(call),
    /** Whether a principal gave this id to a run before: deploying again returns that run, whatever became of its definition. */
    async isKnown({ id }: Principal, runId: string | undefined): Promise<boolean> {
      const run = runId === undefined ? undefined : await journal.runOf(id, runId);
      return run !== undefined && (await journal.head(run)) !== undefined;
    },
    deploy: (given: Deployment): Promise<RunHead> => deploy(given, deployDeps),
    prepare: (given: Parameters<typeof prepare>[0]) => prepare(given, deployDeps),
    plan: (given: Parameters<typeof plan>[0]) => plan(given, deployDeps),
    /** The steps that somebody has to confirm before they run. */
    confirmed: ({ definition, nested }: Pick<Run, 'definition' | 'nested'>, principal: Principal) =>
      confirmedSteps(stepsOf(definition, nested, principal, deployDeps)),
    follow: (id: string, seconds: number, context: CallContext, progress: Progress) =>
      followRun(id, seconds, { control, journal, watching, redact: host.redact }, context, progress),
    viewHead,
    /** A value of a run without its secrets. */
    masked: (run: Run, value: unknown) => maskValue(value, maskOf(run, host.redact)),
    nextAfter,
    openEngine,
    engine: () => engine,
    trouble: () => trouble,
    secrets: carrier.secrets,
    active: carrier.active,
    /** Some run is heading for something else, perhaps one that is carried out here. */
    async heard(): Promise<void> {
      for (const run of carrier.active()) {
        const head = await journal.head(run);
        if (head && head.goal !== carrier.goalOf(run)) carrier.redirect(run);
        watching.changed(run);
      }
    },
    async [Symbol.asyncDispose]() {
      engine?.rest();
      resting.abort();
      // What runs now has a moment to end by itself.
      await carrier.idle(QUIET_MS);
      stopping.abort();
      const closing = await opening?.catch(() => undefined);
      await closing?.[Symbol.asyncDispose]();
      lock?.[Symbol.dispose]();
      await evaluating?.[Symbol.asyncDispose]();
    },
  };
}

const QUIET_MS = 3000;

/** An expression that takes too long or gives too much is a mistake of the definition: trying again does not help. */
function strict(evaluator: Evaluator): Evaluator {
  const told = (error: unknown): never => {
    if (error instanceof AppError && (error.code === 'timeout' || error.code === 'too_large'))
      throw new AppError('invalid_input', error.message, { cause: error });
    throw error;
  };
  return {
    fill: (value, scope) => evaluator.fill(value, scope).catch(told),
    isTrue: (template, scope) => evaluator.isTrue(template, scope).catch(told),
    checkInputs: (schemas, given) => evaluator.checkInputs(schemas, given).catch(told),
    [Symbol.asyncDispose]: () => evaluator[Symbol.asyncDispose](),
  };
}
