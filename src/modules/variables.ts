import { known } from './known.ts';
import { presets } from './presets/built-in.ts';

/** Which variable fills which key of a section. */
export function variablesOf(type: string): Readonly<Record<string, string>> {
  const options = Object.entries(presets.get(type)?.options ?? {});
  const ofPreset = options.flatMap(([key, { variable }]) => (variable === undefined ? [] : [[key, variable]]));
  return known.get(type)?.environment ?? Object.fromEntries(ofPreset);
}
