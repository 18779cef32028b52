import type { Catalogue } from '../../../nodes/catalogue.ts';
import { findNode } from '../../../nodes/lookup/corrections.ts';
import { shortType } from '../text.ts';

/** A node that somebody wants, by any of its names. */
export interface WantedNode {
  readonly given: string;
  /** Full types, if they are known. */
  readonly types: readonly string[];
  matches(type: string): boolean;
}

/** `n8n-nodes-base.slack`, and not `Monday.com`, which is a title. */
const FULL_TYPE = /(^|\/)(n8n-nodes-|CUSTOM\.)/i;

const loose = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/g, '');

/** `slack` also means the trigger of Slack and Slack as a tool; a full type means only itself. */
export function wantedNode(given: string, catalogue?: Catalogue): WantedNode {
  const wanted = loose(given);
  if (/[^.]\.[^.]/.test(given) && FULL_TYPE.test(given.trim())) {
    const matches = (type: string) => loose(type) === wanted;
    return { given, types: [catalogue?.nodes().find(({ name }) => matches(name))?.name ?? given.trim()], matches };
  }
  const named = (type: string) => {
    const short = loose(shortType(type));
    return short === wanted || short === `${wanted}trigger` || short === `${wanted}tool`;
  };
  const own = catalogue?.nodes().filter((node) => named(node.name) || loose(node.title) === wanted) ?? [];
  // A misspelled name, or one that only people use.
  const meant = catalogue && own.length === 0 ? findNode(catalogue, given) : undefined;
  const types = own.length > 0 ? own.map(({ name }) => name) : meant && 'found' in meant ? [meant.found.node.name] : [];
  const known = new Set(types);
  return { given, types, matches: (type) => known.has(type) || named(type) };
}
