import type { TextModel } from '../../src/embedder/text-model.ts';
import { modelKey } from '../../src/embedder/text-model.ts';
import type { Vector } from '../../src/memory/engine.ts';
import { packed } from '../../src/memory/vector.ts';
import { random } from './texts.ts';

const AT_ONCE = 64;

/**
 * A supply of vectors. Embedding everything would take an hour, so that the model sees some texts, and all others get a mix of two of
 * its vectors with some noise: they lie where those of real texts do, and no two are equal.
 */
export async function vectorSupply(
  model: TextModel,
  texts: readonly string[],
  say: (line: string) => void,
): Promise<(at: number) => Vector> {
  const key = modelKey(await model.identify());
  const real: Float32Array[] = [];
  for (let from = 0; from < texts.length; from += AT_ONCE) {
    real.push(...(await model.embed(texts.slice(from, from + AT_ONCE))));
    if (from % (AT_ONCE * 10) === 0) say(`embedding ${from} of ${texts.length}`);
  }
  const next = random(2);
  return (at) => {
    if (at < real.length) return packed(real[at] as Float32Array, key);
    const one = real[Math.floor(next() * real.length)] as Float32Array;
    const other = real[Math.floor(next() * real.length)] as Float32Array;
    const share = 0.6 + 0.3 * next();
    return packed(
      one.map((value, n) => share * value + (1 - share) * (other[n] as number) + (next() - 0.5) * 0.04),
      key,
    );
  };
}
