import { z } from 'zod';
import type { RefuseSecrets } from '../kernel/no-secrets.ts';
import type { Principal } from '../kernel/principal.ts';
import { toolsFor } from '../kernel/tool.ts';
import { type Item, type ItemKey, kinds, type Projects } from './project.ts';
import type { CheckGateway } from './status/asking.ts';
import type { InFlight } from './status/in-flight.ts';
import { LONGEST_ITEM_NAME, LONGEST_NAME, nameOf } from './texts.ts';

/** What the project tools may use. */
export interface ProjectDeps {
  /** Its code is loaded on first use. */
  open(): Promise<Projects>;
  readonly gateway: CheckGateway;
  readonly inFlight: InFlight;
  readonly refuse: RefuseSecrets;
}

export const projectTool = toolsFor<ProjectDeps>({ category: 'project' });

// Longer than any name, so that texts.ts can say what is wrong with one that is too long.
const LONGEST_GIVEN = 5000;
const given = z.string().min(1).max(LONGEST_GIVEN);

const MOST_OWNERS = 10;
const LONGEST_OWNER = 40;
const LONGEST_SOURCE = 64;

export const projectInput = given.describe('Name of the project');
export const newNameInput = given.describe(`1 to ${LONGEST_NAME} characters; case does not count`);
export const descriptionInput = z.string().max(LONGEST_GIVEN).optional().describe('What it is for');
export const ownersInput = z
  .array(given)
  .max(MOST_OWNERS)
  .optional()
  .describe('Whom to ask about it: people or teams. They get no rights');
export const cursorInput = z.string().max(2000).optional().describe('From the last answer');
export const cursorOutput = z.string().optional().describe('There are more');

export const ownersOf = (owners: readonly string[]): string[] => [
  ...new Set(owners.map((owner) => nameOf(owner, 'The name of an owner', LONGEST_OWNER))),
];

/** Who did it, for people who read it later. */
export const authorOf = ({ name, id }: Principal): string => (name ?? id).slice(0, LONGEST_SOURCE).toWellFormed();

/** What identifies an item. */
export const keyInput = {
  kind: z.enum(kinds),
  name: given.describe('Id or name of the workflow, owner/name, container, schema, queue, namespace, URL, title …'),
  instance: given.optional().describe('workflow: the n8n it is in'),
  source: given
    .optional()
    .describe('The module that knows it, if there are several of its type, e.g. postgres-staging'),
} as const;

export function keyOf({ kind, name, instance, source }: z.output<z.ZodObject<typeof keyInput>>): ItemKey {
  return {
    kind,
    name: nameOf(name, 'The name of the item', LONGEST_ITEM_NAME),
    ...(instance !== undefined && { instance: nameOf(instance, 'The name of the instance', LONGEST_SOURCE) }),
    ...(source !== undefined && { source: nameOf(source, 'The name of the source', LONGEST_SOURCE) }),
  };
}

export const keyOutput = {
  kind: z.enum(kinds),
  name: z.string(),
  instance: z.string().optional(),
  source: z.string().optional(),
} as const;

export const shownKey = ({ kind, name, instance, source }: ItemKey | Item) => ({
  kind,
  name,
  ...(instance !== undefined && { instance }),
  ...(source !== undefined && { source }),
});
