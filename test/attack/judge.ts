import type { Attack, AttackClass } from './attack.ts';
import type { Reply, Wire } from './exchange.ts';
import { request } from '../support/raw-http.ts';
import type { Scene } from './scene.ts';

export interface Through {
  readonly attack: string;
  readonly what: string;
  readonly sent: string;
  readonly reply: string;
}

export interface Verdict {
  readonly name: string;
  /** The number of requests sent for it, including those that prepare an attack. */
  readonly requests: number;
  readonly attacks: number;
  readonly through: readonly Through[];
  /** Controls that found nothing, in which case the attacks prove nothing either. */
  readonly blind: readonly Through[];
  /** Why some of its attacks were not sent: each service that they need and this run does not have. */
  readonly lacking: readonly string[];
}

const AT_ONCE = 8;
let tags = 0;

/** Sends a class of attacks to a gateway and judges the results. */
export async function judge(
  scene: Scene,
  given: AttackClass,
  choose: (all: readonly Attack[]) => readonly Attack[],
): Promise<Verdict> {
  const inMode = [...given.attacks, ...given.controls].filter(({ modes }) => modes.includes(scene.mode));
  const lacking = new Set(inMode.flatMap(({ needs }) => needs.filter((name) => scene.services[name] === undefined)));
  const fitting = (all: readonly Attack[]) =>
    all.filter((one) => inMode.includes(one) && !one.needs.some((name) => lacking.has(name)));
  const attacks = choose(fitting(given.attacks));
  const controls = attacks.length === 0 ? [] : fitting(given.controls);
  const before = scene.sent();
  if (attacks.length > 0) {
    await given.prepare?.(scene);
    if (given.restart) await scene.restart(given.restart);
  }
  const width = given.inOrder ? 1 : AT_ONCE;
  const blind = (await inTurns(controls, width, (one) => tried(scene, one))).filter(
    ({ what, isJudged }) => !(isJudged && what),
  );
  const judged = await inTurns(attacks, width, (one) => tried(scene, one));
  if (attacks.length > 0) await given.finish?.(scene);
  return {
    name: given.name,
    requests: scene.sent() - before,
    attacks: attacks.length,
    through: judged.flatMap(({ what, ...rest }) => (what === undefined ? [] : [{ ...rest, what }])),
    blind: blind.map(({ what = 'the control shows nothing', ...rest }) => ({ ...rest, what })),
    lacking: [...lacking].map((name) => `${name}: ${scene.around.stack.lacks(name) ?? 'not part of the stage'}`),
  };
}

async function tried(scene: Scene, { name, request: build, through }: Attack) {
  const tag = `tag${(++tags).toString(36).padStart(4, '0')}x${process.pid.toString(36)}`;
  let sent = '';
  let reply: Reply | undefined;
  let what: string | undefined;
  let isJudged = false;
  try {
    const wire = await build(scene, tag);
    sent = shown(scene, wire);
    reply = await scene.send(wire);
    what = await through(reply, scene, tag);
    isJudged = true;
  } catch (error) {
    // If it cannot be judged, an attack does not count as refused, and a control not as seen.
    what = `it could not be judged: ${(error as Error).message}`;
  }
  scene.signal.throwIfAborted();
  await scene.revive();
  return { attack: name, what, isJudged, sent, reply: (reply?.text ?? '').slice(0, 1500) };
}

function shown(scene: Scene, wire: Wire): string {
  const bytes = 'bytes' in wire ? wire.bytes : request(scene.url, wire);
  return bytes.toString('latin1').slice(0, 1500);
}

async function inTurns<T, R>(all: readonly T[], width: number, work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < all.length; index = next++) results[index] = await work(all[index] as T);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
