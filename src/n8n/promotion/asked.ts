import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Instances } from '../instances.ts';
import { validateInput } from '../validation/on-save.ts';

const MOST_NAMED = 500;
const MOST_MAPPED = 2000;

export const instanceName = z.string().min(1).max(100);

const mapped = z
  .record(z.string().max(200), z.string().min(1).max(200))
  .refine((given) => Object.keys(given).length <= MOST_MAPPED, `has at most ${MOST_MAPPED} entries`)
  .optional();

/** What can be created on the target because a workflow needs it. Credentials have their own argument. */
const creatable = ['sub-workflows', 'error-workflows', 'data-tables', 'tags'] as const;

export type Creatable = (typeof creatable)[number];

export const whichInput = {
  workflows: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(MOST_NAMED)
    .optional()
    .describe('Ids or exact names of workflows on `from`'),
  tag: z.string().min(1).max(100).optional().describe('All workflows with this tag'),
};

/** The arguments of a plan. */
export const askedInput = {
  ...whichInput,
  all: z.boolean().optional().describe('All workflows that are not archived'),
  from: instanceName.optional().describe('The n8n to take them from, by its name in the configuration'),
  to: instanceName.optional().describe('The n8n to bring them to'),
  mapping: z
    .strictObject({ workflows: mapped, credentials: mapped, data_tables: mapped })
    .optional()
    .describe('What stands for what on `to`, as id or exact name: { "credentials": { "Bot (test)": "Bot" } }'),
  credentials: z
    .enum(['require', 'create_empty'])
    .optional()
    .describe('Credentials that `to` lacks: require (default) refuses, create_empty creates them without values'),
  include: z
    .array(z.enum(creatable))
    .optional()
    .describe('What to create on `to` if a workflow needs it there. Default: all of these'),
  update_dependencies: z
    .boolean()
    .optional()
    .describe('Also update sub-workflows and error workflows that `to` already has'),
  publish: z
    .union([z.boolean(), z.literal('as_source')])
    .optional()
    .describe('Publish them: true, or as_source for those that are live on `from`. Default: drafts'),
  pin_data: z.boolean().optional().describe('Bring pinned data, too'),
  allow_holes: z.boolean().optional().describe('Go ahead although something is missing: leaves those references empty'),
  overwrite: z.boolean().optional().describe('Overwrite workflows that somebody changed on `to` since the last time'),
  project: z.string().min(1).max(100).optional().describe('Id of the project on `to` for what is created'),
  validate: validateInput,
};

/** For arguments that were kept. */
export const askedShape = z.strictObject(askedInput);

export type Asked = z.output<typeof askedShape>;

/** Both instances of a call. */
export function sidesOf(
  instances: Instances,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): { source: N8nClient; target: N8nClient } {
  const known = instances.names().join(', ');
  if (from === undefined || to === undefined) {
    throw new AppError(
      'invalid_input',
      `Say which n8n to take from and which to bring to: "from" and "to". There are: ${known}.`,
    );
  }
  if (from === to) {
    throw new AppError('invalid_input', `"from" and "to" are both ${from}. They must differ. There are: ${known}.`);
  }
  return { source: instances.get(from), target: instances.get(to) };
}
