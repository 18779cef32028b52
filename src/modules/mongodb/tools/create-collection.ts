import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { checkQuery } from '../judge.ts';
import { fields, mongodbTool, placeInput } from '../tool.ts';

export const createCollection = mongodbTool({
  name: 'mongodb_create_collection',
  title: 'Create collection',
  description:
    'Creates a collection: with a validator if wanted, capped to a size, or for time series. Inserting creates a plain one by itself.',
  phrases: 'create a mongodb collection; new collection with a json schema; capped collection; time series collection',
  effect: 'create',
  input: z.strictObject({
    ...placeInput,
    validator: fields
      .optional()
      .describe('What documents must fulfil, such as {"$jsonSchema": {"required": ["name"]}}'),
    validation_action: z.enum(['error', 'warn']).optional().describe('Refuse documents that do not, or only log them'),
    capped_bytes: z.int().min(4096).max(1e12).optional().describe('Keep only the newest documents, up to this size'),
    time_field: z.string().min(1).max(200).optional().describe('For a time series: the field with the date'),
    meta_field: z.string().min(1).max(200).optional().describe('For a time series: the field that tells series apart'),
  }),
  output: z.object({ created: z.string() }),
  async run(given, mongo) {
    const { validator, validation_action, capped_bytes, time_field, meta_field, ...named } = given;
    const { db, collection, name } = mongo.place(named);
    checkQuery(validator, 'validator');
    if (meta_field !== undefined && time_field === undefined)
      throw new AppError('invalid_input', 'meta_field goes with time_field.');
    await db.createCollection(collection, {
      ...(validator && { validator: mongo.values(validator) }),
      ...(validation_action && { validationAction: validation_action }),
      ...(capped_bytes !== undefined && { capped: true, size: capped_bytes }),
      ...(time_field !== undefined && {
        timeseries: { timeField: time_field, ...(meta_field !== undefined && { metaField: meta_field }) },
      }),
    });
    return { created: name };
  },
});
