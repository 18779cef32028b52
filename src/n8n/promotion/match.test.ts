import { describe, expect, it } from 'vitest';
import type { Link } from './link.ts';
import { matcher } from './match.ts';

const targets = [
  { id: 'a', name: 'Bot', type: 'slackApi' },
  { id: 'b', name: 'Bot', type: 'smtp' },
  { id: 'c', name: 'Twin', type: 'smtp' },
  { id: 'd', name: 'Twin', type: 'smtp' },
  { id: 'same', name: 'Same', type: 'smtp' },
];
const links: Link[] = [
  { kind: 'credential', id: 's1', name: 'Old name', type: 'smtp', to: { id: 'c', name: 'Twin' } },
  { kind: 'credential', id: 's2', name: 'Bot', type: 'smtp', to: { id: 'deleted', name: 'Bot' } },
];
const match = matcher({
  kind: 'credential',
  mapping: { s3: 'd', 'By name': 'Bot', constructor: 'Bot', typo: 'Bott', twins: 'Twin' },
  links,
  targets,
  instance: 'production',
});

describe('what stands for something on the target', () => {
  it.each([
    ['mapping by id', { id: 's3', name: 'x', type: 'smtp' }, { how: 'mapping', to: { id: 'd', name: 'Twin' } }],
    [
      'mapping by name, of the type',
      { id: 'x', name: 'By name', type: 'smtp' },
      { how: 'mapping', to: { id: 'b', name: 'Bot' } },
    ],
    ['a kept link', { id: 's1', name: 'Other', type: 'smtp' }, { how: 'kept', to: { id: 'c', name: 'Twin' } }],
    [
      'a link to something deleted',
      { id: 's2', name: 'Bot', type: 'smtp' },
      { how: 'name', to: { id: 'b', name: 'Bot' } },
    ],
    ['id and name', { id: 'same', name: 'Same', type: 'smtp' }, { how: 'id', to: { id: 'same', name: 'Same' } }],
    ['the same id for something else', { id: 'a', name: 'Nothing', type: 'slackApi' }, undefined],
    ['name and type', { id: 'x', name: 'Bot', type: 'slackApi' }, { how: 'name', to: { id: 'a', name: 'Bot' } }],
    ['two of the name', { id: 'x', name: 'Twin', type: 'smtp' }, { how: 'ambiguous', ids: ['c', 'd'] }],
    ['another type', { id: 'x', name: 'Bot', type: 'httpBasicAuth' }, undefined],
    [
      'a name like a property',
      { id: 'x', name: 'constructor', type: 'smtp' },
      { how: 'mapping', to: { id: 'b', name: 'Bot' } },
    ],
    ['an inherited property', { id: 'toString', name: 'valueOf', type: 'smtp' }, undefined],
  ])('%s', (_, item, found) => {
    expect(match(item)).toEqual(found);
  });

  it('refuses a mapping to something that is not there, or that several have', () => {
    expect(() => match({ id: 'x', name: 'typo', type: 'smtp' })).toThrow(
      /"Bott", which n8n \(production\) does not have. Did you mean "Bot"/,
    );
    expect(() => match({ id: 'x', name: 'twins', type: 'smtp' })).toThrow(/has 2 of the name "Twin": c, d/);
  });
});
