import { isAlias, isMap, isScalar, isSeq, type Node } from 'yaml';

interface Problem {
  readonly offset: number;
  readonly message: string;
  readonly fix: string;
}

/** A value with what it weighs once all aliases are written out. */
interface Weighed {
  readonly value: unknown;
  readonly weight: number;
}

const DEEPEST = 60;
const MOST_ALIASES = 100;
/** Characters and nodes together, with all aliases written out. */
const MOST_WEIGHT = 1024 * 1024;

/** What YAML nodes stand for, if JSON can say it. Its cost is linear in the text: a value that an anchor names is built once. */
export function plainValue(root: unknown): { value: unknown; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const anchors = new Map<string, Weighed | 'open'>();
  let aliases = 0;

  function problem(node: unknown, message: string, fix: string): Weighed {
    problems.push({ offset: (node as Node | null)?.range?.[0] ?? 0, message, fix });
    return { value: null, weight: 1 };
  }

  function valueOf(node: unknown, depth: number): Weighed {
    if (node === null || node === undefined) return { value: null, weight: 1 };
    if (depth > DEEPEST) return problem(node, 'is nested too deeply', `Nest at most ${DEEPEST} levels.`);
    if (isAlias(node)) {
      const found = anchors.get(node.source);
      if (++aliases > MOST_ALIASES) return aliases === MOST_ALIASES + 1 ? tooOften(node) : { value: null, weight: 1 };
      if (found === undefined)
        return problem(
          node,
          `"*${node.source}" names no anchor`,
          'Put it in quotes if it is a text, such as "* * * * *".',
        );
      if (found === 'open') return problem(node, `"*${node.source}" contains itself`, 'Write out what is meant.');
      return found;
    }
    const { anchor } = node as { anchor?: string };
    if (anchor !== undefined) anchors.set(anchor, 'open');
    const made = bodyOf(node, depth);
    if (anchor !== undefined) anchors.set(anchor, made);
    return made;
  }

  const tooOften = (node: unknown) => problem(node, 'uses too many aliases', 'Write the repeated values out.');

  function bodyOf(node: unknown, depth: number): Weighed {
    const { tag } = node as { tag?: string };
    if (tag !== undefined && !/^(!|tag:yaml\.org,2002:(str|int|float|bool|null|map|seq))$/.test(tag))
      return problem(
        node,
        `has the tag ${tag.slice(0, 60)}`,
        'Remove it: a definition holds plain texts, numbers, lists and maps.',
      );
    if (isScalar(node)) return scalarOf(node, node.value);
    if (isSeq(node)) {
      const items = node.items.map((item) => valueOf(item, depth + 1));
      return { value: items.map(({ value }) => value), weight: items.reduce((sum, { weight }) => sum + weight, 1) };
    }
    if (!isMap(node)) return problem(node, 'cannot be read', 'Write plain texts, numbers, lists and maps.');
    const entries = new Map<string, unknown>();
    let weight = 1;
    for (const { key, value } of node.items) {
      if (!isScalar(key)) {
        problem(key ?? node, 'is not a name', 'Write a text before the colon. Put texts with braces in quotes.');
        continue;
      }
      const name = String(key.value);
      if (key.type === 'PLAIN' && key.source === '<<')
        problem(key, '"<<" does not merge maps here', 'Write the keys out, or name a whole value with *.');
      if (entries.has(name)) problem(key, `"${name.slice(0, 60)}" appears twice`, 'Keep one, or rename the other.');
      if (name === '__proto__') problem(key, '"__proto__" cannot be a name', 'Rename it.');
      const inner = valueOf(value, depth + 1);
      weight += inner.weight + name.length;
      entries.set(name, inner.value);
    }
    return { value: Object.fromEntries(entries), weight };
  }

  function scalarOf(node: unknown, value: unknown): Weighed {
    if (typeof value === 'string') return { value, weight: 1 + value.length };
    if (value === null || typeof value === 'boolean') return { value, weight: 1 };
    if (typeof value !== 'number') return problem(node, 'cannot be read', 'Put it in quotes.');
    if (!Number.isFinite(value))
      return problem(node, 'is not a number that JSON has', 'Put it in quotes if it is a text.');
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      return problem(node, 'is too large to stay exact as a number', 'Put it in quotes.');
    return { value, weight: 1 };
  }

  const { value, weight } = valueOf(root, 0);
  if (weight > MOST_WEIGHT) problem(root, 'becomes too large when its aliases are written out', 'Use fewer aliases.');
  return { value, problems };
}
