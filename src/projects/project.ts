import type { Json } from '../kernel/source.ts';

export const kinds = [
  'workflow',
  'repository',
  'container',
  'database',
  'queue',
  'memory',
  'blueprint',
  'server',
  'url',
  'note',
  'other',
] as const;

export type Kind = (typeof kinds)[number];

export const MOST_PROJECTS = 500;
export const MOST_ITEMS = 200;

/** What tells the items of a project apart. */
export interface ItemKey {
  readonly kind: Kind;
  readonly name: string;
  /** The n8n it is in; absent: the only one, or the default. */
  readonly instance?: string;
  /** The module whose tools know it; absent: the one with the name of its type. */
  readonly source?: string;
}

export interface NewItem extends ItemKey {
  readonly note?: string;
  /** A tool that only reads, instead of the check that its kind has. */
  readonly check?: Check;
}

export interface Check {
  readonly tool: string;
  readonly arguments: Json;
}

export interface Item extends NewItem {
  readonly id: number;
  readonly addedAt: string;
  readonly addedBy: string;
}

export interface Head {
  readonly name: string;
  readonly description: string;
  readonly items: number;
  readonly changedAt: string;
}

export interface Project extends Omit<Head, 'items'> {
  /** Whom to ask about it: names of people or teams. They give no rights. */
  readonly owners: readonly string[];
  readonly createdAt: string;
  readonly createdBy: string;
  /** In the order in which they were added. */
  readonly items: readonly Item[];
}

export interface NewProject {
  readonly name: string;
  readonly description: string;
  readonly owners: readonly string[];
}

/**
 * Every name and text is checked (texts.ts). Names of projects are looked up without regard to case; `project` in an
 * answer is the name as the project spells it.
 */
export interface Projects {
  /** Throws `conflict` if the name is taken or there are too many. */
  create(given: NewProject, by: string): Promise<void>;
  /** All of them, by name. */
  list(): Promise<Head[]>;
  /** Throws `not_found`, as all of the following do. */
  get(name: string): Promise<Project>;
  /** Throws `conflict` if the new name is another project's. */
  update(name: string, change: Partial<NewProject>): Promise<{ project: string }>;
  delete(name: string): Promise<void>;
  /** Adds an item, or replaces the one with the same key. Throws `conflict` if there are too many. */
  add(name: string, item: NewItem, by: string): Promise<{ project: string; replaced: boolean }>;
  /** `removed` says whether it was there. */
  remove(name: string, key: ItemKey): Promise<{ project: string; removed: boolean }>;
}
