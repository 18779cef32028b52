import { z } from 'zod';
import { MOST_INPUTS, MOST_STEPS } from './shape.ts';
import { span } from './span.ts';

const custom = (message: string, fix: string) => ({ code: 'custom' as const, message, params: { fix } });

function matching(pattern: RegExp, message: string, fix: string) {
  return z.string().superRefine((given, context) => {
    if (!pattern.test(given)) context.addIssue(custom(message, fix));
  });
}

const blueprintName = matching(
  /^[a-z][a-z0-9-]{0,62}$/,
  'is not a name of a blueprint',
  'Write lower-case letters, digits and hyphens, a letter first, at most 63 characters.',
);

const stepId = matching(
  /^[a-z][a-z0-9_]{0,39}$/,
  'is not an id of a step',
  'Write lower-case letters, digits and underscores, a letter first, at most 40 characters.',
);

/** Names that expressions use. */
const variable = matching(
  /^[A-Za-z_][A-Za-z0-9_]{0,62}$/,
  'is not a name that expressions can use',
  'Write letters, digits and underscores, a letter first.',
);

const words = z.string().min(1).max(10_000);
const label = z.string().min(1).max(300);
/** `arguments:` with nothing behind it is an empty map. */
const map = z.preprocess((given) => given ?? {}, z.record(z.string(), z.unknown()));
const headers = z.preprocess(
  (given) => given ?? {},
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean()], { error: 'must be a text' }).transform(String)),
);
const names = z.preprocess((given) => given ?? [], z.array(label).max(50));
const method = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

const action = {
  tool: label.optional(),
  arguments: map.optional(),
  workflow: label.optional(),
  input: map.optional(),
  instance: label.optional(),
  webhook: z.string().min(1).max(2000).optional(),
  method: method.optional(),
  headers: headers.optional(),
  body: z.unknown().optional(),
};

const rawAction = z.object(action);

export type RawAction = z.output<typeof rawAction>;

const wait = z.union(
  [
    span(),
    z.object({
      event: matching(
        /^[A-Za-z0-9_.-]{1,200}(?:\.\*)?$/,
        'is not a type of events',
        'Write a type, such as "blueprint.run_completed", or the beginning of some: "gateway.*".',
      ),
      where: words.optional(),
    }),
  ],
  { error: 'must be a duration or { event: … }' },
);

const rawStep = z.object({
  ...action,
  id: stepId,
  approval: words.optional(),
  wait: wait.optional(),
  blueprint: blueprintName.optional(),
  inputs: map.optional(),
  when: words.optional(),
  for_each: z.union([words, z.array(z.unknown())], { error: 'must be a list or "${…}"' }).optional(),
  as: variable.optional(),
  parallel: z.int().min(1).max(20).optional(),
  retry: z
    .object({
      times: z.int().min(1).max(20),
      backoff: span({ least: 0, most: 3_600_000, range: 'at most 1h' }).default(1000),
    })
    .optional(),
  timeout: span().optional(),
  undo: rawAction.optional(),
  idempotent: z.boolean().optional(),
  confirm: z.literal('human').optional(),
});

export type RawStep = z.output<typeof rawStep>;

export const rawDefinition = z.object({
  name: blueprintName,
  description: z.string().max(2000).optional(),
  inputs: z.preprocess(
    (given) => given ?? {},
    z.record(variable, z.record(z.string(), z.unknown())).superRefine((given, context) => {
      if (Object.keys(given).length > MOST_INPUTS)
        context.addIssue(custom(`has more than ${MOST_INPUTS} inputs`, 'Take several together in an object.'));
    }),
  ),
  needs: names,
  wants: names,
  steps: z.array(rawStep).min(1).max(MOST_STEPS),
  outputs: map,
  on_failure: z.enum(['undo', 'keep']).default('undo'),
  schedule: label.optional(),
});

export type RawDefinition = z.output<typeof rawDefinition>;
