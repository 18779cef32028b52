import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { shownDocument } from '../shown-document.ts';
import { storageOf } from '../storage.ts';
import { mongodbTool, placeInput, shownFields } from '../tool.ts';

interface Usage {
  readonly name: string;
  readonly accesses?: { readonly ops?: unknown; readonly since?: Date };
}

export const listIndexes = mongodbTool({
  name: 'mongodb_list_indexes',
  title: 'List indexes',
  description:
    'Lists the indexes of a collection: keys, options, size, and how often each was used since the server counts.',
  phrases:
    'which indexes does the collection have; list mongodb indexes; unused indexes; index sizes; is there an index on',
  effect: 'read',
  input: z.strictObject(placeInput),
  output: z.object({
    indexes: z.array(
      z.object({
        name: z.string(),
        keys: shownFields,
        options: shownFields.optional(),
        bytes: z.number().optional(),
        uses: z.number().optional(),
        since: z.string().optional(),
      }),
    ),
    more: z.int().optional(),
  }),
  async run(named, mongo, { signal }) {
    const { documents } = mongo.place(named);
    const found = await documents.listIndexes().toArray();
    // Users who may read documents may lack the right to see statistics.
    const [usage, storage] = await Promise.all([
      documents
        .aggregate<Usage>([{ $indexStats: {} }], mongo.until(signal))
        .toArray()
        .catch((): Usage[] => []),
      storageOf(documents, mongo.until(signal)).catch(() => undefined),
    ]);
    const uses = new Map(usage.map(({ name, accesses }) => [name, accesses]));
    const all = found.map(({ v: _, key, name, ns: __, ...options }) => {
      const bytes = storage?.index_sizes.get(String(name));
      const { ops, since } = uses.get(String(name)) ?? {};
      return {
        name: String(name),
        keys: shownDocument(key, 1000).value,
        ...(Object.keys(options).length > 0 && { options: shownDocument(options, 1000).value }),
        ...(bytes !== undefined && { bytes }),
        ...(ops !== undefined && { uses: Number(ops) }),
        ...(since instanceof Date && { since: since.toISOString() }),
      };
    });
    const shown = all.slice(0, fittingItems(all, { more: 64 }));
    return { indexes: shown, ...(shown.length < all.length && { more: all.length - shown.length }) };
  },
});
