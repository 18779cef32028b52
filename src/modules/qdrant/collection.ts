import { AppError } from '../../kernel/errors.ts';
import { own } from '../../kernel/own.ts';
import { segment } from '../http.ts';
import { shortened } from '../shown.ts';
import { collectionAnswer, type CollectionInfo } from './answers.ts';
import type { Qdrant } from './connection.ts';

/** A collection that tools may use. */
export interface Collection {
  readonly name: string;
  /** Its path in the API. */
  readonly path: string;
  readonly info: CollectionInfo;
  /** Dense vectors by name. The one without a name is ''. */
  readonly vectors: ReadonlyMap<string, { readonly size: number; readonly distance: string }>;
  /** The model that makes its vectors, if Sluice created it so. */
  readonly embedder: string | undefined;
}

/** Collections of Sluice's memory begin so unless memory.qdrant.collection says otherwise. */
const OWN_PREFIX = 'sluice-memory';
/** Where a collection says which model makes its vectors. */
export const EMBEDDER = 'embedder';

export const isOwnName = (name: string): boolean => name.startsWith(OWN_PREFIX);

/** Memories are marked, whatever the collection is called and by whichever alias it is reached. */
const isOwn = (name: string, { config }: CollectionInfo): boolean =>
  isOwnName(name) || own(config.metadata, 'sluice') !== undefined;

export const ownError = (name: string): AppError =>
  new AppError(
    'forbidden',
    `The collection ${shortened(name, 200)} belongs to Sluice's memory and is out of reach. Use the tools of memory instead.`,
  );

/** Checks that a collection is allowed and not Sluice's own, and looks at it. */
export async function openCollection(qdrant: Qdrant, name: string, signal: AbortSignal): Promise<Collection> {
  qdrant.collections.need(name);
  if (isOwnName(name)) throw ownError(name);
  const path = `/collections/${segment(name)}`;
  const info = await qdrant.ask(collectionAnswer, path, { signal });
  if (isOwn(name, info)) throw ownError(name);
  const { vectors } = info.config.params;
  const embedder = own(info.config.metadata, EMBEDDER);
  return {
    name,
    path,
    info,
    vectors: new Map(isSingle(vectors) ? [['', vectors]] : Object.entries(vectors ?? {})),
    embedder: typeof embedder === 'string' ? embedder : undefined,
  };
}

type Vectors = CollectionInfo['config']['params']['vectors'];

const isSingle = (vectors: Vectors): vectors is { size: number; distance: string } =>
  typeof vectors?.size === 'number' && typeof vectors.distance === 'string';
