import type { Way } from '../way.ts';

/** Something that happens elsewhere: a mail, a row in a table. Every trigger that no other way knows is of this kind. */
export const other: Way = {
  kind: 'other',
  // Most are recognised by the end of their type.
  types: ['n8n-nodes-base.emailReadImap'],
  runsItself: true,
  needsData: true,
};
