import type { Engine } from '../engine/engine.ts';
import type { Journal } from './journal.ts';
import type { Demand } from './sought-rows.ts';

/**
 * How many of each deployer begin now: always one of whoever has fewest at work. A tenth of the places is for those who have
 * nothing at work, because what others do may take hours.
 */
export function turns(demands: readonly Demand[], places: number): ReadonlyMap<string, number> {
  const kept = places > 1 ? Math.max(1, Math.floor(places / 10)) : 0;
  const given = new Map<string, number>();
  const hasOf = ({ deployer, atWork }: Demand) => atWork + (given.get(deployer) ?? 0);
  let free = demands.reduce((left, { atWork }) => left - atWork, places);
  for (;;) {
    const waiting = demands.filter(({ deployer, queued }) => queued > (given.get(deployer) ?? 0));
    const [next] = waiting.sort((a, b) => hasOf(a) - hasOf(b));
    if (!next || free <= (hasOf(next) === 0 ? 0 : kept)) return given;
    given.set(next.deployer, (given.get(next.deployer) ?? 0) + 1);
    free -= 1;
  }
}

interface QueueDeps {
  readonly journal: Pick<Journal, 'demands' | 'queued' | 'givenTo'>;
  /** How many parts all processes together carry out at once. */
  places(): number;
  /** Undefined if another process has it. */
  engine(): Promise<Pick<Engine, 'start'> | undefined>;
}

export interface Queue {
  /** Gives the engine what may begin now. False if another process has to. */
  fill(): Promise<boolean>;
}

/**
 * Parts of runs that may begin wait in the journal. The engine does what it is given first: it gets only as much as there is
 * room for, so that thousands of runs of one deployer are not before the one of another.
 */
export function createQueue({ journal, places, engine }: QueueDeps): Queue {
  let working: Promise<boolean> | undefined;
  let isAgain = false;

  async function fillOnce(): Promise<boolean> {
    const here = await engine();
    if (!here) return false;
    for (const [deployer, count] of turns(await journal.demands(), places()))
      for (const { id, part } of await journal.queued(deployer, count))
        await journal.givenTo(id, part, await here.start({ run: id, part }));
    return true;
  }

  async function fill(): Promise<boolean> {
    try {
      for (;;) {
        isAgain = false;
        const isHere = await fillOnce();
        if (!isAgain) return isHere;
      }
    } finally {
      working = undefined;
    }
  }

  return {
    fill() {
      isAgain = true;
      return (working ??= fill());
    },
  };
}
