import type { Db } from 'mongodb';
import { AppError } from '../../kernel/errors.ts';
import type { Limits, Mongo, Place } from './connection.ts';

/** A database with more of them is listed only in part. */
const MOST = 20_000;

/** The collections of a database that are in reach, by name and type only: that takes no locks. */
export async function collectionsOf(
  { access }: Pick<Mongo, 'access'>,
  db: Db,
  limits: Limits,
): Promise<{ name: string; type: string }[]> {
  const found: { name: string; type: string }[] = [];
  const cursor = db.listCollections({}, { nameOnly: true, authorizedCollections: true, ...limits });
  for await (const { name, type } of cursor) {
    if (access.hasCollection(db.databaseName, name)) found.push({ name, type: type ?? 'collection' });
    if (found.length >= MOST) break;
  }
  return found;
}

/** What the server knows of a collection; throws if it does not exist. */
export async function existing(place: Place, limits: Limits): Promise<{ name: string; type?: string }> {
  const [found] = await place.db.listCollections({ name: place.collection }, limits).toArray();
  if (found) return found;
  throw new AppError(
    'not_found',
    `There is no collection ${place.name}. mongodb_list_collections shows those of ${place.database}.`,
  );
}
