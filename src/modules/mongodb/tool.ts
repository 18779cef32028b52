import { z } from 'zod';
import { toolsFor } from '../../kernel/tool.ts';
import type { Mongo } from './connection.ts';

/** Tools of MongoDB. They get the open connection. */
export const mongodbTool = toolsFor<Mongo>({ category: 'mongodb' });

export const databaseInput = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('Database; default the one of the configuration');

export const placeInput = {
  database: databaseInput,
  collection: z.string().min(1).max(300).describe('Collection'),
};

export const fields = z.record(z.string(), z.unknown());

export const filterInput = fields.describe(
  'Query in Extended JSON, such as {"state": "open", "at": {"$gte": {"$date": "2026-01-01T00:00:00Z"}}}. A text of 24 hex digits for _id also finds the ObjectId',
);

export const sortInput = z
  .record(z.string(), z.union([z.literal(1), z.literal(-1), fields]))
  .describe('Such as {"at": -1}');

/** Extended JSON. */
export const shownFields = z.unknown();

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
