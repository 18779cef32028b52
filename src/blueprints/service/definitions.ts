import { createHash } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import { checkCalled } from '../definition/check-called.ts';
import { checkDefinition, placed } from '../definition/check.ts';
import { type Finding, findingLine, isError } from '../definition/finding.ts';
import { readDefinition } from '../definition/read.ts';
import type { Definition, Nested } from '../definition/shape.ts';
import type { World } from '../definition/world.ts';
import type { Evaluator } from '../expressions/evaluator.ts';
import type { Known } from '../library/known.ts';
import type { Definable } from '../library/library.ts';
import { refuseOthers, type StoredText } from '../library/stored.ts';
import { patternFindings } from './pattern-findings.ts';

const MOST_SHOWN = 8;

/** A definition that can be deployed, with every blueprint that it calls. */
export interface Ready {
  readonly known: Known;
  readonly definition: Definition;
  readonly nested: Readonly<Record<string, Nested>>;
  /** Changes with its text, and with the text of what it calls. */
  readonly hash: string;
  /** Who saved it and what it calls. Nobody saves what is in files, in Vault, or comes with Sluice. */
  readonly authors: readonly { readonly name: string; readonly by: string }[];
}

/** The definitions by their names. */
export type KnownDefinitions = Pick<ReadonlyMap<string, Definition>, 'get' | 'keys'>;

export interface DefinitionDeps {
  readonly library: Definable;
  /** The tools and sources that there are now. */
  world(known: KnownDefinitions): World;
  evaluator(): Promise<Pick<Evaluator, 'checkInputs'>>;
}

export type Definitions = ReturnType<typeof createDefinitions>;

/** The definitions, and what is wrong with them. */
export function createDefinitions({ library, world, evaluator }: DefinitionDeps) {
  const existing = async (name: string): Promise<Known> => named(name, await library.all());

  /** What is wrong with a definition, as things are now. */
  const findingsOf = async (known: Known, all?: readonly Known[]): Promise<readonly Finding[]> =>
    known.summary ? findingsIn(known.text, all) : known.findings;

  async function findingsIn(text: string, all?: readonly Known[]): Promise<readonly Finding[]> {
    const { definition, findings, place } = readDefinition(text);
    if (!definition) return findings;
    const others = new Map((all ?? (await library.all())).map((one) => [one.name, one]));
    const readable = new Set([...others.values()].flatMap(({ name, summary }) => (summary ? [name] : [])));
    const now = {
      ...world({
        get: (name) => (name === definition.name ? definition : others.get(name)?.definition()),
        keys: () => readable.add(definition.name).keys(),
      }),
      isBroken: (name: string) =>
        name !== definition.name && others.get(name)?.summary === undefined && others.has(name),
    };
    const found = [...checkDefinition(definition, now), ...(await checkCalled(definition, now))];
    const patterns = found.some(isError) ? [] : await patternFindings(definition, evaluator);
    return placed([...findings, ...found, ...patterns], place);
  }

  async function ready(name: string): Promise<Ready> {
    // Read once: what is checked is what is run.
    const all = await library.all();
    const known = named(name, all);
    const errors = (await findingsOf(known, all)).filter(isError);
    const definition = known.definition();
    if (errors.length > 0 || !definition)
      throw new AppError('invalid_input', `${name} cannot be deployed.\n${findingLines(errors).join('\n')}`);
    const nested = new Map<string, Nested>();
    const used = [known];
    const visit = (one: Definition): void => {
      for (const { work } of one.steps) {
        if (work.kind !== 'blueprint' || nested.has(work.blueprint)) continue;
        const called = named(work.blueprint, all);
        const inner = called.definition();
        if (!inner) throw new AppError('invalid_input', `${work.blueprint}, which ${one.name} calls, cannot be read.`);
        nested.set(work.blueprint, { definition: inner, origin: called.origin });
        used.push(called);
        visit(inner);
      }
    };
    visit(definition);
    const hash = createHash('sha256')
      .update(JSON.stringify(used.map(({ text }) => text)))
      .digest('base64url');
    const authors = used.flatMap(({ name: one, savedBy: by }) => (by === undefined ? [] : [{ name: one, by }]));
    return { known, definition, nested: Object.fromEntries(nested), hash, authors };
  }

  return {
    existing,
    findingsOf,
    findingsIn: (text: string) => findingsIn(text),
    ready,
    all: () => library.all(),
    save: (...given: Parameters<Definable['save']>) => library.save(...given),
    /** What this principal can delete under a name. Throws if there is nothing. */
    async deletable(name: string, by: Principal): Promise<StoredText> {
      const stored = await library.stored(name);
      if (stored) {
        refuseOthers(name, stored.savedBy, by);
        return stored;
      }
      const { origin, file } = await existing(name);
      throw new AppError(
        'conflict',
        `${name} is not in the store: it ${origin === 'shipped' ? 'comes with Sluice' : `is defined in ${file}`}.`,
      );
    },
    delete: (...given: Parameters<Definable['delete']>) => library.delete(...given),
    problems: () => library.problems(),
  };
}

function named(name: string, all: readonly Known[]): Known {
  const known = all.find((one) => one.name === name);
  if (known) return known;
  const names = all.map((one) => one.name);
  throw new AppError(
    'not_found',
    `There is no blueprint ${shown(name)}. ${didYouMean(nearestNames(name, names), 'blueprint_list_definitions shows them.')}`,
  );
}

function findingLines(findings: readonly Finding[]): string[] {
  const lines = findings.slice(0, MOST_SHOWN).map(findingLine);
  const more = findings.length - MOST_SHOWN;
  return more > 0 ? [...lines, `… and ${more} more.`] : lines;
}
