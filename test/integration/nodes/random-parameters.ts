import type { Group, Property } from '../../../src/nodes/description.ts';

/** A seeded random number generator (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Sets some of a node's parameters to plausible values. */
export function randomParameters(
  properties: readonly Property[],
  random: () => number,
  depth = 0,
): Record<string, unknown> {
  const parameters: Record<string, unknown> = {};
  for (const property of properties) {
    const often = property.name === 'resource' || property.name === 'operation' ? 0.9 : 0.35;
    if (random() < often) parameters[property.name] = randomValue(property, random, depth);
  }
  return parameters;
}

function randomValue(property: Property, random: () => number, depth: number): unknown {
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  if (random() < 0.04) return '={{ $json.anything }}';
  switch (property.type) {
    case 'boolean':
      return random() < 0.5;
    case 'number':
      return Math.floor(random() * 5);
    case 'options':
      return Object(pick(property.options ?? [])).value ?? 'somethingElse';
    case 'multiOptions':
      return (property.options ?? []).filter(() => random() < 0.4).map((option) => Object(option).value as unknown);
    case 'resourceLocator':
      return { __rl: true, mode: pick(property.modes ?? [])?.name ?? 'id', value: pick(['', 'gpt-4o', '42']) };
    case 'collection':
      if (depth > 3) return {};
      return isMany(property)
        ? [randomParameters((property.options ?? []) as Property[], random, depth + 1)]
        : randomParameters((property.options ?? []) as Property[], random, depth + 1);
    case 'fixedCollection': {
      const group = pick((property.options ?? []) as Group[]);
      if (!group || depth > 3) return {};
      const item = () => randomParameters(group.values, random, depth + 1);
      return { [group.name]: isMany(property) ? [item(), item()] : item() };
    }
    case 'string':
      return isMany(property) ? ['a', 'b'] : pick(['', 'text', 'POST', 'o1-mini']);
    default:
      return property.default;
  }
}

const isMany = ({ typeOptions }: Property) => typeOptions?.multipleValues === true;
