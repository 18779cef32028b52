import { AppError } from '../kernel/errors.ts';
import { quoted, someOf } from '../kernel/some-of.ts';
import type { Endings, RelationName } from './engine.ts';
import { normalized } from '../kernel/normalized.ts';

/** Names with the same folded form are one name in another spelling: `Ada`, `ADA`. */
export const foldedName = (name: string): string => normalized(name, 'NFKC').toLowerCase();

/** The entity that a name means: the one with this name, else the only one whose folded name is the same. */
export function meantName(asked: string, known: Iterable<string>): string | undefined {
  const folded = foldedName(asked);
  const alike: string[] = [];
  for (const name of known) {
    if (name === asked) return name;
    if (foldedName(name) === folded) alike.push(name);
  }
  return alike.length === 1 ? alike[0] : undefined;
}

/** `data.missing` lists the names, for whoever knows similar ones. */
export function noSuchEntity(missing: readonly string[]): AppError {
  const names = someOf(missing.map(quoted));
  return new AppError(
    'not_found',
    `No ${missing.length === 1 ? 'entity is' : 'entities are'} called ${names}. Nothing was changed. graph_search finds entities by words, graph_create_entities creates them.`,
    { data: { missing } },
  );
}

export function nameTaken(name: string): AppError {
  return new AppError(
    'conflict',
    `Another entity is called ${quoted(name)}. Choose another name, or merge the two with graph_merge_entities.`,
  );
}

export function nothingToEnd(what: Partial<Endings>): AppError {
  const named = [
    ...(what.entities ?? []).map(quoted),
    ...(what.relations ?? []).map(relationText),
    ...(what.observations ?? []).flatMap(({ entity, observations }) =>
      observations.map((text) => `${quoted(text)} of ${quoted(entity)}`),
    ),
  ];
  return new AppError(
    'not_found',
    `Not valid at that time, so nothing to end: ${someOf(named)}. Nothing was changed. graph_get_entities shows what is valid.`,
  );
}

export const relationText = ({ from, type, to }: RelationName): string =>
  `${quoted(from)} ${quoted(type)} ${quoted(to)}`;
