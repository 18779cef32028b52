import { own } from '../kernel/own.ts';

export const scopesInWords: Readonly<Record<string, string>> = {
  'tools:read': 'list the tools',
  'tools:execute': 'call every tool, except those that administer the gateway',
  'health:check': 'see the status, events and metrics of the gateway',
  'blueprint:approve': 'approve steps and definitions of blueprints',
  'docker:exec': 'run commands and containers with Docker',
  'vault:reveal': 'see secrets of Vault in plain text',
  admin: 'do everything, including adding and removing servers',
};

const verbs: Readonly<Record<string, string>> = {
  read: 'read with the tools of',
  write: 'change and delete things with the tools of',
  execute: 'run things with the tools of',
};

/** What a scope allows, worded to follow "It may". */
export function inWords(scope: string): string {
  const [source = '', verb = ''] = scope.split(':');
  return own(scopesInWords, scope) ?? `${own(verbs, verb) ?? verb} ${source}`;
}
