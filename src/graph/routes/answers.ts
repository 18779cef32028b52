import { z } from 'zod';

const MOST_IN_PAGE = 2000;
const MOST_OBSERVATIONS = 500;
const MOST_RELATIONS = 2000;
const MOST_NEAR = 500;
const MOST_FOUND = 200;

const name = z.string().min(1).max(1000);
const as_of = z.string().max(100).optional().describe('What was true then: an ISO time, or 30d');
const types = z.string().max(5000).optional().describe('Only relations of these types, separated by commas');

export const listQuery = z.strictObject({
  as_of,
  limit: z.coerce.number().int().min(1).max(MOST_IN_PAGE).default(500),
  after: z.string().max(1000).optional().describe('`next` of the page before'),
});

export const listAnswer = z.object({
  entities: z.array(z.object({ name: z.string(), type: z.string() })).describe('Oldest first'),
  next: z.string().optional().describe('For the next page, as `after`'),
  since: z.string().optional().describe('When the first entity of all was recorded'),
});

export const searchQuery = z.strictObject({
  query: z.string().min(1).max(1000).describe('Words'),
  as_of,
  limit: z.coerce.number().int().min(1).max(MOST_FOUND).default(50),
});

export const searchAnswer = z.object({
  entities: z
    .array(
      z.object({
        name: z.string(),
        type: z.string(),
        found_in: z.array(z.string()).describe('name, about (type or property), observation'),
        observation: z.string().optional().describe('The beginning of the one that fits best'),
      }),
    )
    .describe('Best first'),
});

export const entityQuery = z.strictObject({
  name: name.describe('Of the entity'),
  as_of,
  observations: z.coerce.number().int().min(0).max(MOST_OBSERVATIONS).default(100).describe('At most so many'),
  after: z.string().max(1000).optional().describe('`next` of the answer before: the observations that follow'),
  relations: z.coerce.number().int().min(0).max(MOST_RELATIONS).default(500).describe('At most so many'),
});

const by = z.object({ principal: z.string(), client: z.string().optional(), call: z.string().optional() });
const noted = {
  recorded_at: z.string(),
  valid_from: z.string().optional(),
  valid_to: z.string().optional(),
  by: by.optional(),
};

const relation = z.object({
  from: z.string(),
  type: z.string(),
  to: z.string(),
  properties: z.record(z.string(), z.unknown()).optional(),
  ...noted,
});

export const entityAnswer = z.object({
  name: z.string(),
  type: z.string(),
  properties: z.record(z.string(), z.unknown()),
  ...noted,
  counts: z.object({ observations: z.int(), relations: z.int() }).describe('Of every time'),
  observations: z.array(z.object({ id: z.string(), text: z.string(), ...noted })).describe('Oldest first, whole'),
  next: z.string().optional().describe('For more observations, as `after`'),
  relations: z.array(relation).describe('In both directions, oldest first'),
  more_relations: z.boolean().optional().describe('There are more than the limit'),
});

export const nearQuery = z.strictObject({
  name: name.describe('Of the entity in the middle'),
  as_of,
  depth: z.coerce.number().int().min(1).max(5).default(1).describe('At most so many relations away'),
  types,
  limit: z.coerce.number().int().min(1).max(MOST_NEAR).default(200).describe('At most so many entities'),
});

const line = z.object({ from: z.string(), type: z.string(), to: z.string() });

export const nearAnswer = z.object({
  entities: z
    .array(z.object({ name: z.string(), type: z.string(), distance: z.int() }))
    .describe('Nearest first, without the one in the middle'),
  relations: z.array(line),
  truncated: z.boolean().optional().describe('There are more than the limit'),
});

export const pathQuery = z.strictObject({
  from: name,
  to: name,
  as_of,
  types,
  depth: z.coerce.number().int().min(1).max(20).default(10).describe('At most so many relations'),
});

export const pathAnswer = z.object({
  found: z.boolean(),
  entities: z.array(z.object({ name: z.string(), type: z.string() })).describe('In order'),
  relations: z.array(line).describe('In order; each may point either way'),
});

const byType = z.array(z.object({ type: z.string(), count: z.int() })).describe('Most frequent first');

export const statsQuery = z.strictObject({ as_of });

export const statsAnswer = z.object({
  entities: z.int(),
  observations: z.int(),
  relations: z.int(),
  entity_types: byType,
  relation_types: byType,
});
