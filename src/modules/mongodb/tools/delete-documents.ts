import { z } from 'zod';
import { shortened } from '../../shown.ts';
import type { Mongo } from '../connection.ts';
import { needNarrowFilter } from '../judge.ts';
import { shownDocument } from '../shown-document.ts';
import { filterInput, mongodbTool, placeInput, plural } from '../tool.ts';

const NAMED = 10;

const input = z.strictObject({
  ...placeInput,
  filter: filterInput,
  many: z.boolean().default(false).describe('All that match, not only the first'),
});

export const deleteDocuments = mongodbTool({
  name: 'mongodb_delete_documents',
  title: 'Delete documents',
  description:
    'Deletes the first document that matches a filter, or all of them with many. A filter that matches everything is refused. Asks first, and says how many and which.',
  phrases:
    'delete a document from mongo; remove records in mongodb; delete all documents that match; clean up old documents',
  effect: 'delete',
  input,
  output: z.object({ deleted: z.int() }),
  async preview(given, mongo, { signal }) {
    const { place, query } = chosen(given, mongo);
    const matched = await place.documents.countDocuments(query, mongo.until(signal));
    if (matched === 0) return undefined;
    const found = await place.documents
      .find(query, { projection: { _id: 1 }, limit: given.many ? NAMED : 1, ...mongo.until(signal) })
      .toArray();
    const ids = found.map(({ _id }) => shortened(JSON.stringify(shownDocument(_id, 200).value), 100)).join(', ');
    if (!given.many)
      return `Deletes one document of ${place.name}, with the _id ${ids}${matched > 1 ? `; ${matched} match, and only the first goes` : ''}.`;
    const total = await place.documents.estimatedDocumentCount(mongo.until(signal));
    const all = matched >= total ? ', which are all it has' : ` of ${total}`;
    const others = matched > found.length ? ` and ${matched - found.length} others` : '';
    return `Deletes ${plural(matched, 'document')} of ${place.name}${all}: _id ${ids}${others}.`;
  },
  async run(given, mongo, { signal }) {
    const { place, query } = chosen(given, mongo);
    const limits = mongo.until(signal);
    const { deletedCount } = given.many
      ? await place.documents.deleteMany(query, limits)
      : await place.documents.deleteOne(query, limits);
    return { deleted: deletedCount };
  },
});

function chosen({ filter, database, collection }: z.output<typeof input>, mongo: Mongo) {
  const place = mongo.place({ database, collection });
  needNarrowFilter(filter);
  return { place, query: mongo.filter(filter) };
}
