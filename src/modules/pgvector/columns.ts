import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';

export interface Column {
  readonly name: string;
  /** `vector`, `jsonb`, `text`, `uuid`, … */
  readonly type: string;
  /** With its size: `vector(512)`. */
  readonly shown: string;
  /** The declared dimensions of a vector. */
  readonly dimensions?: number;
  readonly isVector: boolean;
  readonly isText: boolean;
  /** Whether the table fills it if an insert does not. */
  readonly hasDefault: boolean;
  readonly isRequired: boolean;
  readonly comment: string | null;
}

/** Which columns are what. */
export interface Roles {
  /** Undefined if no column tells the rows apart. */
  readonly id?: Column;
  readonly text?: Column;
  readonly metadata?: Column;
  readonly vector: Column;
  /** All others. */
  readonly fields: readonly Column[];
}

/** For tools: where the columns of a table are not what they are taken for. */
export const columnsInput = z
  .strictObject({
    vector: z.string().min(1).max(63).optional().describe('Column with the vectors'),
    text: z.string().min(1).max(63).optional().describe('Column with the texts'),
    metadata: z.string().min(1).max(63).optional().describe('Column of type jsonb or json'),
    id: z.string().min(1).max(63).optional().describe('Column that tells the rows apart'),
  })
  .describe('Columns of a table of your own, if they are not found by themselves: pgvector_get_collection shows them');

export type ColumnsGiven = z.output<typeof columnsInput>;

/** As LangChain, n8n, LlamaIndex and others call them, the likeliest first. */
const USUAL = {
  vector: ['embedding', 'vector', 'embeddings', 'content_embedding', 'text_embedding'],
  text: ['text', 'content', 'document', 'page_content', 'pagecontent', 'chunk', 'chunk_text', 'body', 'passage'],
  metadata: ['metadata', 'langchain_metadata', 'cmetadata', 'metadata_', 'meta', 'payload', 'attributes', 'properties'],
  id: ['id', 'uuid', 'langchain_id', 'node_id', 'custom_id'],
};

/** `keys` are columns that are unique and never empty, the primary key first; `apart` belong to no role. */
export function rolesOf(
  columns: readonly Column[],
  {
    keys,
    apart,
    given = {},
  }: {
    readonly keys: readonly string[];
    readonly apart?: string | undefined;
    readonly given?: ColumnsGiven | undefined;
  },
): Roles {
  const isMetadata = ({ type }: Column) => type === 'jsonb' || type === 'json';
  const free = columns.filter(({ name }) => name !== apart);
  const named = (role: keyof ColumnsGiven, fits: (column: Column) => boolean, what: string): Column | undefined => {
    const wanted = given[role];
    if (wanted === undefined) return undefined;
    const found = columns.find(({ name }) => name === wanted);
    if (found && fits(found)) return found;
    const others = columns.filter(fits).map(({ name }) => name);
    throw new AppError(
      'invalid_input',
      `columns.${role}: ${found ? `${wanted} is of type ${found.shown}, and is not ${what}` : `there is no column ${wanted.slice(0, 63)}`}. ${others.length > 0 ? `Possible are ${others.join(', ')}.` : 'The table has none.'}`,
    );
  };
  const vectors = free.filter(({ isVector }) => isVector);
  const vector = named('vector', (one) => one.isVector, 'a vector') ?? usual(vectors, USUAL.vector) ?? vectors[0];
  if (!vector) throw new AppError('invalid_input', 'The table has no column with vectors.');
  const key = columns.find(({ name }) => name === keys[0]);
  const id = named('id', ({ isVector }) => !isVector, 'an id') ?? key ?? usual(free, USUAL.id, true);
  const texts = free.filter((one) => one.isText && one !== id);
  const text = named('text', (one) => one.isText, 'a text') ?? usual(texts, USUAL.text, texts.length > 1);
  const objects = free.filter(isMetadata);
  const metadata = named('metadata', isMetadata, 'JSON') ?? usual(objects, USUAL.metadata, objects.length > 1);
  const taken = new Set([vector, id, text, metadata]);
  return {
    ...(id && { id }),
    ...(text && { text }),
    ...(metadata && { metadata }),
    vector,
    fields: columns.filter((one) => !taken.has(one) && !one.isVector),
  };
}

/** The column with the likeliest name; if none has one, the first, unless only names count. */
function usual(columns: readonly Column[], names: readonly string[], onlyNamed = false): Column | undefined {
  for (const wanted of names) {
    const found = columns.find(({ name }) => name.toLowerCase() === wanted);
    if (found) return found;
  }
  return onlyNamed ? undefined : columns[0];
}
