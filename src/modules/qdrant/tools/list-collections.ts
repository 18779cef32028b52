import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { cursorFor, placeIn } from '../../../kernel/cursor.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { shortened } from '../../shown.ts';
import { aliasesAnswer, collectionsAnswer } from '../answers.ts';
import { isOwnName, openCollection } from '../collection.ts';
import type { Qdrant } from '../connection.ts';
import { cursorInput, cursorOutput, qdrantTool } from '../tool.ts';

const LIST = 'qdrant_list_collections';
const AT_ONCE = 30;

const shownCollection = z.object({
  name: z.string(),
  alias_of: z.string().optional(),
  status: z.string().describe('green is fine; yellow: optimizing; grey: waits for that; red: failed'),
  points: z.number(),
  vectors: z.array(z.string()),
});

export const listCollections = qdrantTool({
  name: LIST,
  title: 'List collections',
  description: 'Collections and aliases with their status, number of points, and vectors with size and distance.',
  phrases: 'which collections are there; what is in qdrant; how many points; list vector stores',
  effect: 'read',
  input: z.strictObject({ cursor: cursorInput }),
  output: z.object({ collections: z.array(shownCollection), cursor: cursorOutput }),
  async run({ cursor }, qdrant, { signal }) {
    const { skip } = placeIn(LIST, {}, cursor);
    const [{ collections }, { aliases }] = await Promise.all([
      qdrant.ask(collectionsAnswer, '/collections', { signal }),
      qdrant.ask(aliasesAnswer, '/aliases', { signal }),
    ]);
    const targets = new Map(aliases.map(({ alias_name: alias, collection_name: name }) => [alias, name]));
    const names = [...collections.map(({ name }) => name), ...targets.keys()]
      .filter((name) => qdrant.collections.has(name) && !isOwnName(targets.get(name) ?? name))
      .sort();
    const looked = await Promise.all(
      names.slice(skip, skip + AT_ONCE).map((name) => look(qdrant, name, targets.get(name), signal)),
    );
    const fits = fittingItems(looked.filter((one) => one !== undefined));
    let taken = 0;
    let at = 0;
    // Collections of Sluice, and those that were just deleted, count for the cursor, but are not shown.
    while (at < looked.length && (looked[at] === undefined || taken < fits)) if (looked[at++]) taken += 1;
    const next = skip + at;
    return {
      collections: looked.slice(0, at).filter((one) => one !== undefined),
      ...(next < names.length && { cursor: cursorFor(LIST, {}, { skip: next }) }),
    };
  },
});

async function look(qdrant: Qdrant, name: string, target: string | undefined, signal: AbortSignal) {
  try {
    const { info, vectors } = await openCollection(qdrant, name, signal);
    const dense = [...vectors].slice(0, 10).map(([vector, { size, distance }]) => {
      return `${vector === '' ? '' : `${shortened(vector, 60)}: `}${size}, ${shortened(distance, 20)}`;
    });
    const sparse = Object.keys(info.config.params.sparse_vectors ?? {}).map((one) => `${shortened(one, 60)}: sparse`);
    return {
      name: shortened(name, 255),
      ...(target !== undefined && {
        alias_of: qdrant.collections.has(target) ? shortened(target, 255) : 'a collection that is not allowed',
      }),
      status: shortened(info.status, 30),
      points: info.points_count ?? 0,
      vectors: [...dense, ...sparse.slice(0, 5)],
    };
  } catch (error) {
    if (error instanceof AppError && (error.code === 'forbidden' || error.code === 'not_found')) return undefined;
    throw error;
  }
}
