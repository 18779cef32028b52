import { z } from 'zod';
import { toolsFor } from '../kernel/tool.ts';
import type { AskedNodes } from './asked/asked.ts';
import type { Catalogues } from './catalogue.ts';
import type { OptionValues } from './options/option-values.ts';
import { typeNamed } from './lookup/type-named.ts';
import type { Meaning } from './search/meaning/meaning.ts';
import { nodeTypes } from './taxonomy/taxonomy.ts';

/** What the node tools may use. */
export interface NodesDeps {
  readonly catalogues: Catalogues;
  /** Absent if no n8n is connected. */
  readonly options?: OptionValues;
  /** Finds nodes by meaning if words find too little. */
  readonly meaning?: Pick<Meaning, 'near'>;
  /** Counts the nodes that callers ask about. */
  readonly asked?: Pick<AskedNodes, 'note'>;
}

/**
 * An output object without a detailed schema; its `describe` lists the keys. Clients carry every schema through each
 * conversation, and the model reads the answer anyway.
 */
export const thing: z.ZodType<object, object> = z.record(z.string(), z.unknown());

/** A name or a few words. A refinement keeps the limits out of the JSON schema, where they would appear thirty times. */
export const name = z.string().refine((text) => text.length > 0 && text.length <= 300, '1 to 300 characters');

export const nodesTool = toolsFor<NodesDeps>({ category: 'workflow', scope: () => 'nodes:read' });

/** Takes what get_node_details takes: `ACTION_NODE`, `action`. */
export const typeFilter = z.preprocess(
  (given) => (typeof given === 'string' ? (typeNamed(given) ?? given) : given),
  z.enum(nodeTypes).optional(),
);

export const instanceInput = z.string().optional().describe('Which n8n, by name');
