import { describe, expect, test } from 'vitest';
import { type Column, type ColumnsGiven, rolesOf } from './columns.ts';

const column = (name: string, type: string): Column => ({
  name,
  type,
  shown: type,
  isVector: type === 'vector',
  isText: type === 'text' || type === 'varchar',
  hasDefault: false,
  isRequired: false,
  comment: null,
});

const table = (columns: Record<string, string>) => Object.entries(columns).map(([name, type]) => column(name, type));

function named(columns: Record<string, string>, keys: string[], more: { apart?: string; given?: ColumnsGiven } = {}) {
  const { id, text, metadata, vector, fields } = rolesOf(table(columns), { keys, ...more });
  return [id?.name, text?.name, metadata?.name, vector.name, fields.map(({ name }) => name).join(' ')];
}

describe('the columns of', () => {
  test('n8n', () => {
    const columns = { id: 'uuid', text: 'text', metadata: 'jsonb', embedding: 'vector', collection_id: 'uuid' };
    expect(named(columns, ['id'], { apart: 'collection_id' })).toEqual([
      'id',
      'text',
      'metadata',
      'embedding',
      'collection_id',
    ]);
  });

  test('LangChain for Python', () => {
    const columns = {
      id: 'varchar',
      collection_id: 'uuid',
      embedding: 'vector',
      document: 'varchar',
      cmetadata: 'jsonb',
    };
    expect(named(columns, ['id'], { apart: 'collection_id' }).slice(0, 4)).toEqual([
      'id',
      'document',
      'cmetadata',
      'embedding',
    ]);
  });

  test('LangChain’s PGVectorStore', () => {
    const columns = { langchain_id: 'uuid', content: 'text', embedding: 'vector', langchain_metadata: 'json' };
    expect(named(columns, ['langchain_id']).slice(0, 4)).toEqual([
      'langchain_id',
      'content',
      'langchain_metadata',
      'embedding',
    ]);
  });

  test('a table with other names', () => {
    expect(named({ sku: 'text', title: 'text', blurb: 'text', vec: 'vector' }, ['sku'])).toEqual([
      'sku',
      undefined,
      undefined,
      'vec',
      'title blurb',
    ]);
    expect(
      named({ sku: 'text', title: 'text', blurb: 'text', vec: 'vector' }, ['sku'], { given: { text: 'blurb' } }),
    ).toEqual(['sku', 'blurb', undefined, 'vec', 'title']);
  });

  test('a table with one text, and no key', () => {
    expect(named({ note: 'text', vec: 'vector' }, [])).toEqual([undefined, 'note', undefined, 'vec', '']);
  });
});

test('columns that do not fit are refused, with those that do', () => {
  const columns = { id: 'uuid', text: 'text', a: 'vector', b: 'vector' };
  expect(() => named(columns, ['id'], { given: { vector: 'text' } })).toThrow('Possible are a, b.');
  expect(() => named(columns, ['id'], { given: { vector: 'constructor' } })).toThrow('there is no column constructor');
  expect(() => named(columns, ['id'], { given: { metadata: 'text' } })).toThrow('The table has none.');
});
