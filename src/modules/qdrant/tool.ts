import { z } from 'zod';
import { toolsFor } from '../../kernel/tool.ts';
import type { Qdrant } from './connection.ts';

export const qdrantTool = toolsFor<Qdrant>({ category: 'qdrant' });

export const collectionInput = z
  .string()
  .min(1)
  .max(255)
  // oxlint-disable-next-line no-control-regex
  .regex(/^[^\u0000-\u001f/\\:*?"<>|]+$/, 'is not the name of a collection')
  .describe('Collection');

/** Qdrant has unsigned numbers and UUIDs only. */
export const idInput = z
  .union([
    z.int().min(0),
    z
      .string()
      .regex(/^\d{1,20}$/, { abort: true })
      .refine((digits) => BigInt(digits) < 2n ** 64n, 'is too large')
      .transform((digits) => (Number.isSafeInteger(Number(digits)) ? Number(digits) : digits)),
    z.guid(),
  ])
  .describe('A whole number (as a text from 2^53 on) or a UUID');

export const idsInput = z.array(idInput).min(1).max(500);

export const filterInput = z
  .record(z.string().max(100), z.unknown())
  .describe(
    'As Qdrant has it: {"must": [{"key": "source", "match": {"value": "a.pdf"}}, {"key": "year", "range": {"gte": 2020}}], "must_not": […], "should": […]}',
  );

export const vectorInput = z.array(z.number()).min(1).max(65_536);
export const usingInput = z.string().max(200).optional().describe('Name of the vector, if there are several');
export const charsInput = z.int().min(0).max(2000).default(400).describe('How much of each text to show');
export const cursorInput = z.string().max(500).optional().describe('From the page before');
export const cursorOutput = z.string().optional().describe('For the next page');
export const payloadInput = z.record(z.string().min(1).max(500), z.unknown());

/** Waits until a change is applied, so that the next read sees it. */
export const WAIT = { wait: 'true' } as const;
