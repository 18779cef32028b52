import type { Document } from 'mongodb';
import type { Mongo, Place } from './connection.ts';
import { checkPipeline } from './judge.ts';

/** The stages of a caller's pipeline, judged: they only read, and only what is in reach. */
export function readablePipeline(
  mongo: Pick<Mongo, 'access' | 'filter' | 'values'>,
  { database }: Pick<Place, 'database'>,
  pipeline: readonly Readonly<Record<string, unknown>>[],
): Document[] {
  checkPipeline(pipeline, (collection) => mongo.access.needCollection(database, collection));
  return pipeline.map((stage) => {
    const { $match } = stage;
    return typeof $match === 'object' && $match !== null && !Array.isArray($match)
      ? { $match: mongo.filter($match as Record<string, unknown>) }
      : mongo.values(stage);
  });
}
