/** The commands that read documents, and the plans they run by. */
import type { Document } from 'bson';
import { aggregate, find } from 'mingo';
import { stages as knownStages } from './contract.ts';
import { bytesOf, collectionOf, type Data, matching, type Stored } from './data.ts';
import { refusal } from './refusal.ts';

const asRefusal = (error: unknown): Error => refusal(2, 'BadValue', (error as Error).message);

export function findIn(stored: Stored | undefined, command: Document): Document[] {
  const {
    filter = {},
    projection,
    sort,
    skip = 0,
    limit = 0,
  } = command as {
    filter?: Document;
    projection?: Document;
    sort?: Record<string, 1 | -1>;
    skip?: number;
    limit?: number;
  };
  noCode([filter, projection]);
  for (const name of usedBy(stored, filter)) stored?.uses.set(name, (stored.uses.get(name) ?? 0) + 1);
  try {
    let cursor = find<Document>(stored?.documents ?? [], filter, projection ?? {});
    if (sort) cursor = cursor.sort(sort);
    if (skip) cursor = cursor.skip(skip);
    if (limit) cursor = cursor.limit(limit);
    return cursor.all();
  } catch (error) {
    throw asRefusal(error);
  }
}

/** JavaScript is switched off in the stand-in: security.javascriptEnabled false. */
function noCode(values: readonly unknown[]): void {
  const text = JSON.stringify(values);
  if (/"\$(?:where|function|accumulator)":/.test(text))
    throw refusal(17, 'BadValue', 'no globalScriptEngine in $where parsing');
}

export function aggregateIn(data: Data, database: string, command: Document, operations: () => Document[]): Document[] {
  const { aggregate: name, pipeline } = command as { aggregate: string | 1; pipeline: Document[] };
  const stored = typeof name === 'string' ? collectionOf(data, database, name) : undefined;
  noCode(pipeline);
  for (const stage of pipeline) {
    const [operator = ''] = Object.keys(stage);
    if (!knownStages.has(operator))
      throw refusal(40324, 'Location40324', `Unrecognized pipeline stage name: '${operator}'`);
  }
  const [first = {}, ...rest] = pipeline;
  const source = sampled(first, stored?.documents ?? []) ?? sourceOf(first, stored, `${database}.${name}`, operations);
  try {
    return aggregate(source ?? stored?.documents ?? [], source ? rest : pipeline, {
      collectionResolver: (other: string) => collectionOf(data, database, other)?.documents ?? [],
    });
  } catch (error) {
    throw asRefusal(error);
  }
}

/** mingo takes documents more than once; the server does not. */
function sampled({ $sample }: Document, documents: readonly Document[]): Document[] | undefined {
  if ($sample === undefined) return undefined;
  const { size } = $sample as { size: number };
  return documents
    .map((document) => ({ document, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, size)
    .map(({ document }) => document);
}

/** The documents of a stage that is about the server or the collection. */
function sourceOf(
  stage: Document,
  stored: Stored | undefined,
  namespace: string,
  operations: () => Document[],
): Document[] | undefined {
  if ('$currentOp' in stage) return operations();
  if ('$collStats' in stage) {
    if (!stored)
      throw refusal(
        26,
        'NamespaceNotFound',
        `Unable to retrieve storageStats in $collStats stage :: caused by :: Collection [${namespace}] not found.`,
      );
    return [{ ns: namespace, storageStats: statsOf(stored) }];
  }
  if ('$indexStats' in stage)
    return (stored?.indexes ?? []).map(({ name, key }) => ({
      name,
      key,
      accesses: { ops: stored?.uses.get(name) ?? 0, since: new Date(0) },
    }));
  return undefined;
}

export function statsOf(stored: Stored): Document {
  const size = bytesOf(stored);
  return {
    count: stored.documents.length,
    size,
    avgObjSize: stored.documents.length === 0 ? 0 : Math.round(size / stored.documents.length),
    storageSize: Math.max(4096, size),
    capped: stored.options.capped === true,
    nindexes: stored.indexes.length,
    totalIndexSize: stored.indexes.length * 4096,
    indexSizes: Object.fromEntries(stored.indexes.map(({ name }) => [name, 4096])),
  };
}

function usedBy(stored: Stored | undefined, filter: Document): string[] {
  const index = stored?.indexes.find(({ key }) => Object.hasOwn(filter, Object.keys(key)[0] ?? ''));
  return index ? [index.name] : [];
}

/** https://www.mongodb.com/docs/manual/reference/explain-results/ */
export function explained(data: Data, database: string, { explain, verbosity }: Document): Document {
  const command = explain as Document;
  const [method = ''] = Object.keys(command);
  const stored = collectionOf(data, database, String(command[method]));
  const pipeline = (command.pipeline ?? []) as Document[];
  const filter = (command.filter ?? command.query ?? pipeline[0]?.$match ?? {}) as Document;
  const [used] = usedBy(stored, filter);
  const index = stored?.indexes.find(({ name }) => name === used);
  const scan = index
    ? {
        stage: 'FETCH',
        inputStage: { stage: 'IXSCAN', keyPattern: index.key, indexName: index.name, direction: 'forward' },
      }
    : { stage: 'COLLSCAN', filter, direction: 'forward' };
  const sorted = command.sort ? { stage: 'SORT', sortPattern: command.sort as Document, inputStage: scan } : scan;
  const winningPlan = command.limit
    ? { stage: 'LIMIT', limitAmount: command.limit as number, inputStage: sorted }
    : sorted;
  const found = matching(stored?.documents ?? [], filter).length;
  const all = stored?.documents.length ?? 0;
  const executionStats = {
    executionSuccess: true,
    nReturned: found,
    executionTimeMillis: 1,
    totalKeysExamined: index ? found : 0,
    totalDocsExamined: index ? found : all,
    executionStages: winningPlan,
  };
  const queryPlanner = {
    namespace: `${database}.${String(command[method])}`,
    parsedQuery: filter,
    winningPlan,
    rejectedPlans: [],
  };
  const answer = { queryPlanner, ...(verbosity === 'executionStats' && { executionStats }) };
  const later = pipeline.filter((stage) => !('$match' in stage));
  return later.length > 0 ? { stages: [{ $cursor: answer }, ...later] } : answer;
}
