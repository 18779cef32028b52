import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { as, call, type Scene } from './attack.ts';
import { exchange } from './exchange.ts';

/** How long another caller waited for one answer. */
export interface Pause {
  readonly what: string;
  readonly seconds: number;
  /** Of these, how many seconds the gateway's main thread computed. A machine that is busy otherwise adds none. */
  readonly computing: number;
}

const TICKS = 100;

/** Seconds that the main thread has computed; undefined where the system does not say. */
function computed(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return undefined;
  }
}

/** A process, and what somebody asks of it meanwhile. */
export interface Watched {
  readonly pid: number;
  readonly asks: readonly (readonly [what: string, ask: () => Promise<unknown>])[];
}

/** Another caller asks for nothing but a sign of life and an echo. These are not counted: they attack nothing. */
export const gatewayOf = (scene: Scene): Watched => {
  const patience = 300_000;
  const echo = { ...as(scene, 'other', { body: call('open__echo', { text: 'still there?' }) }), patience };
  const { pid, url } = scene.gateway;
  return {
    pid,
    asks: [
      ['/health', () => exchange(url, { method: 'GET', path: '/health', patience })],
      ['an echo', () => exchange(url, echo)],
    ],
  };
};

/** Without a pause, the questions themselves would be what the gateway computes for. */
const BETWEEN_MS = 20;

async function timed(pid: number, what: string, ask: () => Promise<unknown>): Promise<Pause> {
  const [started, before] = [performance.now(), computed(pid)];
  await ask();
  const seconds = (performance.now() - started) / 1000;
  const after = computed(pid);
  return { what, seconds, computing: before === undefined || after === undefined ? seconds : after - before };
}

/** Asks again and again. The answer for which the main thread computed longest. */
async function longestUntil({ pid, asks }: Watched, isOver: () => boolean): Promise<Pause> {
  let longest: Pause = { what: 'nothing', seconds: 0, computing: 0 };
  for (let over = false; !over; ) {
    over = isOver();
    for (const pause of await Promise.all(asks.map(([what, ask]) => timed(pid, what, ask))))
      if (pause.computing >= longest.computing) longest = pause;
    if (!over) await delay(BETWEEN_MS);
  }
  return longest;
}

const ROUNDS_AT_REST = 20;

/** How long answers take while nobody else asks: what everything else is compared with. */
export async function atRest(watched: Watched): Promise<Pause> {
  let rounds = 0;
  return await longestUntil(watched, () => ++rounds >= ROUNDS_AT_REST);
}

/** The longest pause while that work was done. */
export async function during(watched: Watched, work: Promise<unknown>): Promise<Pause> {
  let over = false;
  const end = () => {
    over = true;
  };
  work.then(end, end);
  const longest = await longestUntil(watched, () => over);
  await work;
  return longest;
}
