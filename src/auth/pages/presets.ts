import { scopesInWords } from '../scope-words.ts';

export interface Preset {
  readonly id: 'look' | 'use' | 'watch' | 'all' | 'own';
  readonly title: string;
  readonly text: string;
  readonly scopes: readonly string[];
  readonly readOnly?: boolean;
}

/** What most keys are for. */
export const presets: readonly Preset[] = [
  {
    id: 'use',
    title: 'Use tools',
    text: 'For assistants: lists and calls tools, but does not administer the gateway.',
    scopes: ['tools:read', 'tools:execute'],
  },
  {
    id: 'look',
    title: 'Read only',
    text: 'Lists tools, and calls only those that change nothing.',
    scopes: ['tools:read', 'tools:execute'],
    readOnly: true,
  },
  {
    id: 'watch',
    title: 'Use tools and watch',
    text: 'Also sees status, events and metrics, for example in this console.',
    scopes: ['tools:read', 'tools:execute', 'health:check'],
  },
  { id: 'all', title: 'Everything', text: 'Also administers the gateway and makes keys.', scopes: ['admin'] },
  { id: 'own', title: 'Choose scopes', text: '', scopes: ['tools:read'] },
];

/** The scopes that belong to no source. */
export const known: readonly string[] = Object.keys(scopesInWords);

/** No other scope but `admin` includes these. */
const literal: ReadonlySet<string> = new Set(['blueprint:approve', 'docker:exec', 'vault:reveal']);

export const isLiteral = (scope: string): boolean => literal.has(scope);

/** A list as people type it: with commas, spaces or lines between. */
export const listIn = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== '');
