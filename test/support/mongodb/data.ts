/** The documents, indexes and rules of the stand-in, with the query language of mingo. */
import { calculateObjectSize, type Document, ObjectId } from 'bson';
import { Query, updateMany, updateOne } from 'mingo';
import { refusal } from './refusal.ts';

export interface Index extends Document {
  readonly key: Document;
  readonly name: string;
  readonly unique?: boolean;
}

export interface Stored {
  documents: Document[];
  indexes: Index[];
  readonly uses: Map<string, number>;
  readonly options: Document;
}

export type Data = Map<string, Map<string, Stored>>;

const MOST_BYTES = 16 * 1024 * 1024;
const ID_INDEX: Index = { v: 2, key: { _id: 1 }, name: '_id_' };

const newCollection = (options: Document = {}): Stored => ({
  documents: [],
  indexes: [ID_INDEX],
  uses: new Map(),
  options,
});

export function collectionOf(data: Data, database: string, name: string): Stored | undefined {
  return data.get(database)?.get(name);
}

export function madeCollection(data: Data, database: string, name: string, options?: Document): Stored {
  const collections = data.get(database) ?? new Map<string, Stored>();
  data.set(database, collections);
  const found = collections.get(name) ?? newCollection(options);
  collections.set(name, found);
  return found;
}

/** Those that match. Throws as the server does for operators that do not exist. */
export function matching(documents: readonly Document[], filter: Document): Document[] {
  try {
    const query = new Query(filter);
    return documents.filter((document) => query.test(document));
  } catch (error) {
    throw refusal(2, 'BadValue', (error as Error).message);
  }
}

const at = (document: Document, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Document | undefined)?.[key], document);

const keyOf = (document: Document, { key }: Index): Document =>
  Object.fromEntries(Object.keys(key).map((path) => [path, at(document, path) ?? null]));

const textOf = (value: unknown): string => JSON.stringify(value, (_, inner: unknown) => inner);

/** Throws if a document breaks a rule of its collection, or has a key that another one has. */
function check(stored: Stored, document: Document, namespace: string): void {
  if (calculateObjectSize(document) > MOST_BYTES)
    throw refusal(10334, 'BSONObjectTooLarge', 'BSONObj size is invalid. Size must be between 0 and 16793600(16MB)');
  const { validator, validationAction } = stored.options as { validator?: Document; validationAction?: string };
  if (validator && validationAction !== 'warn') checkRule(validator, document);
  for (const index of [ID_INDEX, ...stored.indexes.filter(({ unique }) => unique === true)]) {
    const value = keyOf(document, index);
    const same = stored.documents.find((other) => other !== document && textOf(keyOf(other, index)) === textOf(value));
    if (!same) continue;
    throw refusal(
      11000,
      'DuplicateKey',
      `E11000 duplicate key error collection: ${namespace} index: ${index.name} dup key: ${textOf(value)}`,
      { keyPattern: index.key, keyValue: value },
    );
  }
}

/** https://www.mongodb.com/docs/manual/core/schema-validation/handle-invalid-documents/ */
function checkRule(validator: Document, document: Document): void {
  const fail = (details: Document) =>
    refusal(121, 'DocumentValidationFailure', 'Document failed validation', {
      errInfo: { failingDocumentId: document._id as unknown, details },
    });
  const { $jsonSchema: schema, ...rest } = validator as { $jsonSchema?: Document } & Document;
  const { required = [] } = (schema ?? {}) as { required?: string[] };
  const missing = required.filter((name) => document[name] === undefined);
  if (missing.length > 0)
    throw fail({
      operatorName: '$jsonSchema',
      schemaRulesNotSatisfied: [{ operatorName: 'required', specifiedAs: { required }, missingProperties: missing }],
    });
  if (matching([document], rest).length === 0)
    throw fail({ operatorName: Object.keys(rest)[0], specifiedAs: rest, reason: 'comparison failed' });
}

export function insert(stored: Stored, given: Document, namespace: string): void {
  const document: Document = Object.hasOwn(given, '_id') ? given : { _id: new ObjectId(), ...given };
  check(stored, document, namespace);
  stored.documents.push(document);
}

export interface Updated {
  matched: number;
  changed: number;
  upserted?: unknown;
}

export function update(stored: Stored, statement: Document, namespace: string): Updated {
  const { q, u, multi, upsert, arrayFilters } = statement as {
    q: Document;
    u: Document | Document[];
    multi?: boolean;
    upsert?: boolean;
    arrayFilters?: Document[];
  };
  const change = (documents: Document[], filter: Document, many: boolean) => {
    try {
      const config = arrayFilters ? { arrayFilters } : {};
      return (many ? updateMany : updateOne)(documents, filter, u as never, config as never);
    } catch (error) {
      throw refusal(9, 'FailedToParse', (error as Error).message);
    }
  };
  const unknown = (Array.isArray(u) ? [] : Object.keys(u)).find((key) => !OPERATORS.has(key));
  if (unknown !== undefined) throw refusal(9, 'FailedToParse', `Unknown modifier: ${unknown}`);
  if (matching(stored.documents, q).length === 0 && upsert) {
    const equal = Object.entries(q).filter(([key, value]) => !key.startsWith('$') && !isOperators(value));
    const made: Document = {
      ...(Object.hasOwn(q, '_id') ? {} : { _id: new ObjectId() }),
      ...Object.fromEntries(equal),
    };
    const document = structuredCopy(made);
    change([document], {}, false);
    check(stored, document, namespace);
    stored.documents.push(document);
    return { matched: 0, changed: 0, upserted: document._id };
  }
  const copies = stored.documents.map(structuredCopy);
  const { matchedCount, modifiedCount } = change(copies, q, multi === true);
  const changed = { ...stored, documents: copies };
  for (const document of copies) check(changed, document, namespace);
  stored.documents = copies;
  return { matched: matchedCount, changed: modifiedCount };
}

/** https://www.mongodb.com/docs/manual/reference/operator/update/ */
const OPERATORS = new Set(
  [
    '$set $unset $inc $mul $min $max $rename $currentDate $setOnInsert $addToSet $push $pull',
    '$pullAll $pop $bit',
  ].flatMap((line) => line.split(' ')),
);

const isOperators = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).some((key) => key.startsWith('$'));

/** Plain objects and lists are copied; values of BSON do not change. */
function structuredCopy<T>(value: T): T {
  if (Array.isArray(value)) return value.map(structuredCopy) as T;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, structuredCopy(inner)])) as T;
}

export function remove(stored: Stored, { q, limit }: Document): number {
  const found = matching(stored.documents, q as Document);
  const gone = new Set(limit === 1 ? found.slice(0, 1) : found);
  stored.documents = stored.documents.filter((document) => !gone.has(document));
  return gone.size;
}

export function addIndex(stored: Stored, given: Index, namespace: string): boolean {
  const same = stored.indexes.find(({ name }) => name === given.name);
  if (same && textOf(same.key) === textOf(given.key)) return false;
  if (same)
    throw refusal(
      86,
      'IndexKeySpecsConflict',
      `An existing index has the same name as the requested index: ${given.name}`,
    );
  const alike = stored.indexes.find(({ key }) => textOf(key) === textOf(given.key));
  if (alike) throw refusal(85, 'IndexOptionsConflict', `Index already exists with a different name: ${alike.name}`);
  if (given.unique) {
    const seen = new Set<string>();
    for (const document of stored.documents) {
      const value = keyOf(document, given);
      if (seen.has(textOf(value)))
        throw refusal(
          11000,
          'DuplicateKey',
          `E11000 duplicate key error collection: ${namespace} index: ${given.name} dup key: ${textOf(value)}`,
          { keyPattern: given.key, keyValue: value },
        );
      seen.add(textOf(value));
    }
  }
  stored.indexes = [...stored.indexes, { v: 2, ...given }];
  return true;
}

export const bytesOf = ({ documents }: Stored): number =>
  documents.reduce((sum, document) => sum + calculateObjectSize(document), 0);
