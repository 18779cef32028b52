import { z } from 'zod';
import { MOST_AT_ONCE, nameInput } from '../tool.ts';
import { orCalled, orOne, relationNames } from './other-names.ts';

/** Observations that exist, by their texts or ids. */
export const observationNamesInput = orOne(
  z
    .array(
      orCalled(
        { entityName: 'entity', name: 'entity', contents: 'observations' },
        z.strictObject({
          entity: nameInput,
          observations: orOne(z.array(z.string()).min(1).max(MOST_AT_ONCE)).describe('Exact texts, or ids'),
        }),
      ),
    )
    .min(1)
    .max(MOST_AT_ONCE),
);

/** Relations that exist. */
export const relationNamesInput = orOne(
  z
    .array(
      orCalled(
        relationNames,
        z.strictObject({ from: nameInput, type: z.string().describe('E.g. works_at'), to: nameInput }),
      ),
    )
    .min(1)
    .max(MOST_AT_ONCE),
);
