import { z } from 'zod';
import { existing } from '../collections.ts';
import { mongodbTool, placeInput, plural } from '../tool.ts';

export const dropCollection = mongodbTool({
  name: 'mongodb_drop_collection',
  title: 'Drop collection',
  description: 'Deletes a collection or a view for good, with its documents and indexes. Asks first.',
  phrases: 'drop a mongodb collection; delete a whole collection; remove a collection with all its documents',
  effect: 'delete',
  input: z.strictObject(placeInput),
  output: z.object({ dropped: z.string() }),
  async preview(named, mongo, { signal }) {
    const place = mongo.place(named);
    const { type } = await existing(place, mongo.until(signal));
    if (type === 'view') return `Drops the view ${place.name}. The documents it shows stay.`;
    const [count, indexes] = await Promise.all([
      place.documents.estimatedDocumentCount(mongo.until(signal)),
      place.documents.listIndexes().toArray(),
    ]);
    return `Drops ${place.name} with ${plural(count, 'document')} and ${plural(indexes.length, 'index', 'indexes')}. This cannot be undone.`;
  },
  async run(named, mongo, { signal }) {
    const place = mongo.place(named);
    await existing(place, mongo.until(signal));
    await place.documents.drop();
    return { dropped: place.name };
  },
});
