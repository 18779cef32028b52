/**
 * The fields that each command takes, by https://www.mongodb.com/docs/manual/reference/command/ (7.0). A server refuses
 * others (code 40415), and so does the stand-in: a wrong request fails here as it would there.
 */
import type { Document } from 'bson';
import { refusal } from './refusal.ts';

type Type = 'text' | 'number' | 'boolean' | 'object' | 'list' | 'any' | 'namespace';
type Fields = Readonly<Record<string, Type>>;

const cursor: Fields = { cursor: 'object' };
const collation: Fields = { collation: 'object' };

/** Every command takes these. */
const generic: Fields = {
  $db: 'text',
  lsid: 'object',
  $readPreference: 'object',
  $clusterTime: 'object',
  readConcern: 'object',
  writeConcern: 'object',
  maxTimeMS: 'number',
  comment: 'any',
  apiVersion: 'text',
  apiStrict: 'boolean',
  apiDeprecationErrors: 'boolean',
  txnNumber: 'number',
};

/** The name of a command is its first field. */
const commands: ReadonlyMap<string, Fields> = new Map<string, Fields>([
  ...(['hello', 'isMaster', 'ismaster'] as const).map((name): [string, Fields] => [
    name,
    {
      [name]: 'any',
      helloOk: 'boolean',
      client: 'object',
      compression: 'list',
      saslSupportedMechs: 'text',
      speculativeAuthenticate: 'object',
      topologyVersion: 'object',
      maxAwaitTimeMS: 'number',
      loadBalanced: 'boolean',
      backpressure: 'any',
    },
  ]),
  ['ping', { ping: 'any' }],
  ['buildInfo', { buildInfo: 'any' }],
  ['serverStatus', { serverStatus: 'any' }],
  ['getLog', { getLog: 'text' }],
  ['endSessions', { endSessions: 'list' }],
  ['saslStart', { saslStart: 'any', mechanism: 'text', payload: 'any', autoAuthorize: 'any', options: 'object' }],
  ['saslContinue', { saslContinue: 'any', conversationId: 'number', payload: 'any' }],
  ['listDatabases', { listDatabases: 'any', filter: 'object', nameOnly: 'boolean', authorizedDatabases: 'boolean' }],
  [
    'listCollections',
    { listCollections: 'any', filter: 'object', nameOnly: 'boolean', authorizedCollections: 'boolean', ...cursor },
  ],
  [
    'create',
    {
      create: 'text',
      capped: 'boolean',
      size: 'number',
      max: 'number',
      timeseries: 'object',
      expireAfterSeconds: 'number',
      validator: 'object',
      validationLevel: 'text',
      validationAction: 'text',
      viewOn: 'text',
      pipeline: 'list',
      ...collation,
    },
  ],
  ['drop', { drop: 'text' }],
  ['dropDatabase', { dropDatabase: 'any' }],
  ['renameCollection', { renameCollection: 'text', to: 'text', dropTarget: 'boolean' }],
  ['insert', { insert: 'text', documents: 'list', ordered: 'boolean', bypassDocumentValidation: 'boolean' }],
  [
    'update',
    { update: 'text', updates: 'list', ordered: 'boolean', bypassDocumentValidation: 'boolean', let: 'object' },
  ],
  ['delete', { delete: 'text', deletes: 'list', ordered: 'boolean', let: 'object' }],
  [
    'find',
    {
      find: 'text',
      filter: 'object',
      sort: 'object',
      projection: 'object',
      hint: 'any',
      skip: 'number',
      limit: 'number',
      batchSize: 'number',
      singleBatch: 'boolean',
      allowDiskUse: 'boolean',
      noCursorTimeout: 'boolean',
      let: 'object',
      ...collation,
    },
  ],
  ['getMore', { getMore: 'number', collection: 'text', batchSize: 'number' }],
  ['killCursors', { killCursors: 'text', cursors: 'list' }],
  [
    'aggregate',
    {
      aggregate: 'namespace',
      pipeline: 'list',
      allowDiskUse: 'boolean',
      bypassDocumentValidation: 'boolean',
      hint: 'any',
      let: 'object',
      ...cursor,
      ...collation,
    },
  ],
  ['count', { count: 'text', query: 'object', limit: 'number', skip: 'number', hint: 'any', ...collation }],
  ['distinct', { distinct: 'text', key: 'text', query: 'object', ...collation }],
  ['explain', { explain: 'object', verbosity: 'text' }],
  ['createIndexes', { createIndexes: 'text', indexes: 'list', commitQuorum: 'any' }],
  ['listIndexes', { listIndexes: 'text', ...cursor }],
  ['dropIndexes', { dropIndexes: 'text', index: 'any' }],
  ['dbStats', { dbStats: 'any', scale: 'number', freeStorage: 'number' }],
  ['collStats', { collStats: 'text', scale: 'number' }],
]);

/** The statements inside of commands that write. */
const statements = {
  updates: {
    q: 'object',
    u: 'any',
    upsert: 'boolean',
    multi: 'boolean',
    arrayFilters: 'list',
    hint: 'any',
    c: 'object',
    ...collation,
  },
  deletes: { q: 'object', limit: 'number', hint: 'any', ...collation },
  indexes: {
    key: 'object',
    name: 'text',
    unique: 'boolean',
    sparse: 'boolean',
    background: 'boolean',
    expireAfterSeconds: 'number',
    partialFilterExpression: 'object',
    hidden: 'boolean',
    weights: 'object',
    default_language: 'text',
    v: 'number',
    ...collation,
  },
} as const satisfies Record<string, Fields>;

/** Stages of https://www.mongodb.com/docs/manual/reference/operator/aggregation-pipeline/ that the stand-in runs. */
export const stages: ReadonlySet<string> = new Set(
  [
    '$addFields $bucket $bucketAuto $collStats $count $currentOp $facet $graphLookup $group',
    '$indexStats $limit $lookup $match $merge $out $project $redact $replaceRoot $replaceWith',
    '$sample $set $setWindowFields $skip $sort $sortByCount $unionWith $unset $unwind $fill $densify',
    '$documents',
  ].flatMap((line) => line.split(' ')),
);

const is: Record<Type, (value: unknown) => boolean> = {
  any: () => true,
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' || typeof value === 'bigint' || isLong(value),
  boolean: (value) => typeof value === 'boolean' || typeof value === 'number',
  list: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  namespace: (value) => typeof value === 'string' || value === 1,
};

const isLong = (value: unknown): boolean => (value as { _bsontype?: unknown } | null)?._bsontype === 'Long';

function checkFields(given: Document, fields: Fields, where: string): void {
  for (const [name, value] of Object.entries(given)) {
    const type = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (type === undefined) throw refusal(40415, 'Location40415', `BSON field '${where}.${name}' is an unknown field.`);
    if (!is[type](value))
      throw refusal(14, 'TypeMismatch', `BSON field '${where}.${name}' is the wrong type, expected ${type}`);
  }
}

/** Throws the server's error if the command is none, or has a field that it does not take. */
export function checkCommand(command: Document): string {
  const [name = ''] = Object.keys(command);
  const fields = commands.get(name);
  if (!fields) throw refusal(59, 'CommandNotFound', `no such command: '${name}'`);
  checkFields(command, { ...fields, ...generic }, name);
  for (const [list, inner] of Object.entries(statements))
    for (const statement of (command[list] as Document[] | undefined) ?? [])
      checkFields(statement, inner, `${name}.${list}`);
  if (name === 'explain') {
    const { explain } = command as { explain: Document };
    const [inner = ''] = Object.keys(explain);
    const known = commands.get(inner);
    if (!known || !/^(?:find|count|aggregate|distinct|update|delete)$/.test(inner))
      throw refusal(59, 'CommandNotFound', `Explain failed due to unknown command: ${inner}`);
    checkFields(explain, { ...known, ...generic }, inner);
  }
  return name;
}
