import { z } from 'zod';
import { toolsFor } from '../kernel/tool.ts';
import type { Catalogues } from './catalogue.ts';
import type { OptionValues } from './options/option-values.ts';
import type { Meaning } from './search/meaning/meaning.ts';

/** What the tools for nodes may use. */
export interface NodesDeps {
  readonly catalogues: Catalogues;
  /** Absent where no n8n is connected. */
  readonly options?: OptionValues;
  /** Compares meanings where words find too little. */
  readonly meaning?: Pick<Meaning, 'near'>;
}

/**
 * An object of an answer whose keys a sentence says: every client carries these schemas along in each conversation, and
 * reads the answer anyway.
 */
export const thing: z.ZodType<object, object> = z.record(z.string(), z.unknown());

/** A name or a few words. Its limits are no part of the schema: nobody comes near them, and they would be in it thirty times. */
export const name = z.string().refine((text) => text.length > 0 && text.length <= 300, '1 to 300 characters');

export const nodesTool = toolsFor<NodesDeps>({ category: 'workflow', scope: () => 'nodes:read' });

export const instanceInput = z.string().optional().describe('Which n8n, by name');
