import { z } from 'zod';
import type { Progress } from '../../kernel/progress.ts';

const line = z.object({
  status: z.string().nullish(),
  id: z.string().nullish(),
  error: z
    .string()
    .nullish()
    .transform((given) => given ?? undefined),
  progressDetail: z.object({ current: z.number().nullish(), total: z.number().nullish() }).nullish(),
});

type Step = z.output<typeof line>;

/** One line of what Docker says while it pulls; undefined if it is not JSON. */
export function step(text: string): Step | undefined {
  try {
    return line.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const EVERY_MS = 500;
const MOST_LAYERS = 500;

/** Adds up the layers. The sum only rises: a layer that is unpacked after its download does not count again. */
export function pullProgress(progress: Progress, now: () => number = Date.now): (one: Step) => void {
  const layers = new Map<string, { current: number; total: number }>();
  let last = -EVERY_MS;
  return ({ id, status, progressDetail }) => {
    const { current, total } = progressDetail ?? {};
    if (!id || !current || !total || status !== 'Downloading') return;
    if (!layers.has(id) && layers.size >= MOST_LAYERS) return;
    const before = layers.get(id)?.current ?? 0;
    layers.set(id, { current: Math.max(before, current), total });
    if (now() - last < EVERY_MS) return;
    last = now();
    const sum = (of: 'current' | 'total') => [...layers.values()].reduce((all, layer) => all + layer[of], 0);
    progress(sum('current'), sum('total'), `${layers.size} layers`);
  };
}
