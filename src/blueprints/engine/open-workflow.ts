import { setTimeout as delay } from 'node:timers/promises';
import { OpenWorkflow } from 'openworkflow';
import type { Opened } from './backends.ts';
import type { Carrier, Engine, Ticket } from './engine.ts';
import { leasedFor } from './leased.ts';

export interface EngineOptions {
  /** How long a run of a dead process waits until another one takes over. */
  readonly leaseMs: number;
  /** How many runs this process carries out at once. */
  readonly atOnce: number;
  /** Tells that the engine's store cannot be reached, or can again. */
  trouble(error: unknown): void;
}

const LONGEST_PAUSE_MS = 1000;
const SHORTEST_PAUSE_MS = 50;
const CLOSING_MS = 5000;
/** What is due so soon is begun on time; the rest at the next look. */
const SOON_MS = 60_000;
/** It could not be told how a step ended: the store is away. Tried again for as long as it takes. */
const untilItWorks = {
  initialInterval: '1s',
  backoffCoefficient: 2,
  maximumInterval: '30s',
  maximumAttempts: 0,
} as const;

/** Durable runs on openworkflow. */
export function openEngine({ backend: given, prune }: Opened, carrier: Carrier, options: EngineOptions): Engine {
  const backend = leasedFor(given, options.leaseMs);
  const ow = new OpenWorkflow({ backend });
  const carried = ow.defineWorkflow<Ticket, null>(
    { name: 'run', version: '1', retryPolicy: untilItWorks },
    async ({ input, step }) => {
      await carrier.carry(input, (name, work) => step.run({ name, retryPolicy: untilItWorks }, work));
      return null;
    },
  );
  const worker = ow.newWorker({ concurrency: options.atOnce });
  const stop = new AbortController();
  let wake: () => void = () => {};
  let woken = false;

  /** The worker's own loop asks for each free slot once a second, and prints errors. */
  async function work(): Promise<void> {
    let pause = SHORTEST_PAUSE_MS;
    while (!stop.signal.aborted) {
      woken = false;
      let claimed = 0;
      try {
        claimed = await tick();
        options.trouble(undefined);
      } catch (error) {
        options.trouble(error);
      }
      pause = claimed > 0 ? SHORTEST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS);
      if (claimed === 0 && !woken && !stop.signal.aborted) await asleep(pause);
    }
  }

  function asleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Claims one after the other, and no more once nothing is left: asking for every free slot costs a transaction each. */
  const claim = backend.claimWorkflowRun;
  let isMore = true;
  let last: Promise<unknown> = Promise.resolve();
  backend.claimWorkflowRun = (params) => {
    const mine = last.then(async () => {
      if (!isMore) return null;
      isMore = false;
      const claimed = await claim(params);
      isMore = claimed !== null;
      return claimed;
    });
    last = mine.catch(() => {});
    return mine;
  };

  function tick(): Promise<number> {
    isMore = true;
    return worker.tick();
  }

  const working = work();
  return {
    async start(ticket, at) {
      const { workflowRun } = await carried.run(ticket, {
        idempotencyKey: `${ticket.run}:${ticket.part}`,
        ...(at !== undefined && { availableAt: new Date(at) }),
      });
      const pause = at === undefined ? 0 : at - Date.now();
      if (pause < SOON_MS) setTimeout(() => ((woken = true), wake()), Math.max(0, pause)).unref();
      return workflowRun.id;
    },
    async isOpen(id) {
      const known = await backend.getWorkflowRun({ workflowRunId: id });
      return known !== null && (known.status === 'pending' || known.status === 'running');
    },
    prune,
    rest: () => stop.abort(),
    async [Symbol.asyncDispose]() {
      stop.abort();
      wake();
      await working;
      await Promise.race([worker.stop(), delay(CLOSING_MS, undefined, { ref: false })]);
      backend[Symbol.dispose]();
      await backend.stop();
    },
  };
}
