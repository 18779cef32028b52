import type { Env } from '../../kernel/env.ts';
import { own } from '../../kernel/own.ts';
import type { Found, MissingValue, Reference, ReferenceLookup } from './interpolate.ts';
import { readReferences, type References } from './references.ts';
import type { NameRead, Scheme, Schemes } from './scheme.ts';
import type { Tree } from './tree.ts';

type Path = readonly PropertyKey[];

export interface AroundReferences {
  /** Which of these texts nobody uses: their secrets are not read. */
  unused(paths: readonly Path[]): readonly Path[];
  file(): Tree;
  readonly env: Env;
  resolve(path: string): string;
  readonly known: readonly References[] | undefined;
}

/** What the references in a file stand for. */
export interface Referred {
  /** Undefined if none of them is used. */
  readonly references?: References;
  readonly find: ReferenceLookup['find'];
  /** A service that is away is reported once, and not for every secret in it. */
  firstOfEach(missing: readonly MissingValue[]): MissingValue[];
}

export async function readReferred(
  found: readonly Found[],
  schemes: Schemes,
  { unused, file, env, resolve, known }: AroundReferences,
): Promise<Referred> {
  const idle = new Set(unused(found.map(({ path }) => path)).map((path) => textOf(path)));
  const schemeOf = ({ scheme }: Reference) => own(schemes, scheme) as Scheme;
  const isOwn = (reference: Reference, path: Path) =>
    schemeOf(reference).section?.every((key, index) => path[index] === key) ?? false;
  const wanted = found.filter(({ reference, path }) => !isOwn(reference, path) && !idle.has(textOf(path)));
  const references =
    wanted.length === 0
      ? undefined
      : await readReferences(
          wanted.map(({ reference }) => reference),
          schemes,
          { env, file: file(), resolve },
          known,
        );
  return {
    ...(references && { references }),
    find(reference, path) {
      if (isOwn(reference, path)) return ofItself(reference, schemeOf(reference));
      return idle.has(textOf(path)) || !references ? notRead : references.find(reference);
    },
    firstOfEach,
  };
}

const notRead: NameRead = { absent: false, message: 'it was not read', fix: '' };

const ofItself = ({ scheme, name }: Reference, { section = [] }: Scheme): NameRead => ({
  absent: false,
  message: `\${${scheme}:${name}} cannot be read, because ${section.join('.')} says how to read it`,
  fix: 'Use a variable here: ${NAME}.',
});

function firstOfEach(missing: readonly MissingValue[]): MissingValue[] {
  const seen = new Set<string>();
  return missing.filter(({ reference, message, fix }) => {
    const isNew = !reference || !seen.has(message + fix);
    seen.add(message + fix);
    return isNew;
  });
}

const textOf = (path: Path): string => path.map(String).join('.');
