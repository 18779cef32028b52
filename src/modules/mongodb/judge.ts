import { AppError } from '../../kernel/errors.ts';
import { nearestNames } from '../../kernel/nearest-names.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Throws if a collection is out of reach. */
export type NeedCollection = (collection: string) => void;

const MOST_DEPTH = 60;
const MOST_VALUES = 20_000;

/** They run JavaScript in the server, whatever else the query does. */
const CODE = new Set(['$where', '$function', '$accumulator']);

/**
 * Refuses queries, updates and projections that run code in the server, at any depth. A text that only looks like one,
 * inside of $literal for example, is refused as well: better a false alarm than a way around.
 */
export function checkQuery(query: unknown, what: string): void {
  let left = MOST_VALUES;
  const look = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null) return;
    left -= 1;
    if (depth > MOST_DEPTH || left < 0)
      throw new AppError('invalid_input', `The ${what} is too large or too deeply nested. Split the work.`);
    if (Array.isArray(value)) for (const item of value) look(item, depth + 1);
    else
      for (const [key, inner] of Object.entries(value)) {
        if (CODE.has(key) || key.startsWith('$_'))
          throw new AppError(
            'forbidden',
            `${key} in the ${what} runs code in the server, and is not allowed. Use query operators and expressions instead, such as $expr with $gt or $regexMatch.`,
          );
        look(inner, depth + 1);
      }
  };
  look(query, 0);
}

/** Stages that only read, and only the collection of the pipeline. */
const READING = new Set(
  [
    '$addFields $bucket $bucketAuto $collStats $count $densify $documents $facet $fill $geoNear',
    '$graphLookup $group $indexStats $limit $lookup $match $project $rankFusion $redact $replaceRoot',
    '$replaceWith $sample $scoreFusion $search $searchMeta $set $setWindowFields $skip $sort',
    '$sortByCount $unionWith $unset $unwind $vectorSearch',
  ].flatMap((line) => line.split(' ')),
);

const WRITING = new Set(['$out', '$merge']);
const OF_SERVER = new Set(
  [
    '$currentOp $listSessions $listLocalSessions $changeStream $changeStreamSplitLargeEvent',
    '$planCacheStats $shardedDataDistribution $listSampledQueries $queryStats',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Refuses pipelines that do more than read collections in reach, with all the pipelines inside them. Stages that nobody
 * has judged are refused, so that a newer server brings no surprise.
 */
export function checkPipeline(pipeline: readonly unknown[], need: NeedCollection): void {
  checkQuery(pipeline, 'pipeline');
  checkStages(pipeline, need, 'pipeline');
}

function checkStages(pipeline: unknown, need: NeedCollection, where: string): void {
  if (!Array.isArray(pipeline))
    throw new AppError('invalid_input', `${where} must be a list of stages, such as [{ "$match": { … } }].`);
  pipeline.forEach((stage: unknown, at) => {
    const place = `${where}[${at}]`;
    if (!isFields(stage) || Object.keys(stage).length !== 1)
      throw new AppError('invalid_input', `${place} must be an object with one stage, such as { "$match": { … } }.`);
    const [[name, options]] = Object.entries(stage) as [[string, unknown]];
    checkStage(name, options, need, place);
  });
}

function checkStage(name: string, options: unknown, need: NeedCollection, place: string): void {
  if (WRITING.has(name))
    throw new AppError(
      'forbidden',
      `${name} at ${place} writes, and mongodb_aggregate only reads. Leave it out; mongodb_insert_documents and mongodb_update_documents write.`,
    );
  if (OF_SERVER.has(name))
    throw new AppError(
      'forbidden',
      `${name} at ${place} is about the server, not about documents. mongodb_list_operations and mongodb_get_server_info show the server.`,
    );
  if (!READING.has(name)) {
    const near = nearestNames(name, READING);
    const meant = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
    throw new AppError('invalid_input', `${name.slice(0, 100)} at ${place} is not a stage that can be used.${meant}`);
  }
  const fields: Fields = isFields(options) ? options : {};
  const inside = `${place}.${name}`;
  switch (name) {
    case '$facet':
      for (const [facet, inner] of Object.entries(fields)) checkStages(inner, need, `${inside}.${facet}`);
      return;
    case '$lookup':
      // Without a collection, it reads the documents that its pipeline begins with.
      if (fields.from !== undefined) needName(fields.from, need, inside);
      if (fields.pipeline !== undefined) checkStages(fields.pipeline, need, `${inside}.pipeline`);
      return;
    case '$graphLookup':
      needName(fields.from, need, inside);
      return;
    case '$unionWith':
      if (!isFields(options)) return needName(options, need, inside);
      if (fields.coll !== undefined) needName(fields.coll, need, inside);
      if (fields.pipeline !== undefined) checkStages(fields.pipeline, need, `${inside}.pipeline`);
      return;
    case '$rankFusion':
    case '$scoreFusion': {
      const pipelines = isFields(fields.input) ? fields.input.pipelines : undefined;
      for (const [key, inner] of Object.entries(isFields(pipelines) ? pipelines : {}))
        checkStages(inner, need, `${inside}.${key}`);
      return;
    }
    default:
  }
}

function needName(given: unknown, need: NeedCollection, place: string): void {
  if (typeof given !== 'string')
    throw new AppError('invalid_input', `${place} must name a collection of the same database, as a text.`);
  need(given);
}

const UPDATING = new Set(['$set', '$addFields', '$unset', '$project', '$replaceRoot', '$replaceWith']);

/** Update operators, or a pipeline of the stages that updates can have. A whole document would replace the old one. */
export function checkUpdate(update: unknown): void {
  checkQuery(update, 'update');
  const operators = Array.isArray(update) ? update.flatMap((stage) => Object.keys(stage as object)) : undefined;
  if (operators) {
    const wrong = operators.find((name) => !UPDATING.has(name));
    if (operators.length > 0 && wrong === undefined) return;
    throw new AppError(
      'invalid_input',
      `An update pipeline can have the stages ${[...UPDATING].join(', ')}${wrong === undefined ? '' : `, not ${wrong.slice(0, 100)}`}.`,
    );
  }
  const keys = isFields(update) ? Object.keys(update) : [];
  if (keys.length > 0 && keys.every((key) => key.startsWith('$'))) return;
  throw new AppError(
    'invalid_input',
    'The update needs operators, such as { "$set": { "state": "paid" }, "$inc": { "tries": 1 } }.',
  );
}

/** Whether a filter selects every document without saying so: `{}`, `{ "$and": [{}] }`. */
export function isEverything(filter: unknown): boolean {
  if (!isFields(filter)) return false;
  return Object.entries(filter).every(([key, value]) => {
    if (key === '$comment') return true;
    if (key === '$expr') return value === true || value === 1;
    if (key === '$alwaysTrue') return true;
    if (key === '$and') return Array.isArray(value) && value.every(isEverything);
    if (key === '$or') return Array.isArray(value) && value.some(isEverything);
    return false;
  });
}

/** For whatever changes or deletes documents. */
export function needNarrowFilter(filter: unknown): void {
  if (!isEverything(filter)) return;
  throw new AppError(
    'invalid_input',
    'This filter matches every document, so nothing was changed. Say which, such as { "state": "new" }; { "_id": { "$exists": true } } if you do mean all.',
  );
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
