import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { compared, type State } from './compare.ts';
import { pullAction, pushAction } from './plan.ts';

describe('the three-way comparison', () => {
  it.each<[string, string | undefined, string | undefined, string | undefined, State]>([
    ['nothing', 'a', 'a', 'a', 'in step'],
    ['a change in n8n', 'a', 'a', 'b', 'changed in n8n'],
    ['a change of the file', 'a', 'b', 'a', 'changed here'],
    ['different changes', 'a', 'b', 'c', 'conflict'],
    ['the same change', 'a', 'b', 'b', 'agreed'],
    ['a deletion in n8n', 'a', 'a', undefined, 'deleted in n8n'],
    ['a deletion in n8n, and a change of the file', 'a', 'b', undefined, 'conflict'],
    ['a deletion of the file', 'a', undefined, 'a', 'deleted here'],
    ['a deletion of the file, and a change in n8n', 'a', undefined, 'b', 'conflict'],
    ['two deletions', 'a', undefined, undefined, 'deleted on both sides'],
    ['a new workflow', undefined, undefined, 'a', 'only in n8n'],
    ['a new file', undefined, 'a', undefined, 'only here'],
    ['two of the same name that are equal', undefined, 'a', 'a', 'agreed'],
    ['two of the same name that differ', undefined, 'a', 'b', 'conflict'],
  ])('sees %s', (_, base, file, n8n, state) => {
    const sides = { file, n8n, same: file !== undefined && file === n8n };
    expect(compared({ ...sides, base: base === undefined ? undefined : { file: base, n8n: base } })).toBe(state);
  });

  it('continues a push that did not finish', () => {
    expect(compared({ base: { n8n: 'half' }, file: 'a', n8n: 'half', same: false })).toBe('changed here');
  });
});

/** The folder and n8n, each with one workflow or none, and what they were when they were last in step. */
interface World {
  base?: string | undefined;
  file?: string | undefined;
  n8n?: string | undefined;
}

const stateOf = ({ base, file, n8n }: World): State =>
  compared({ base: base === undefined ? undefined : { file: base, n8n: base }, file, n8n, same: file === n8n });

const has = ({ file, n8n }: World) => ({ file: file !== undefined, n8n: n8n !== undefined });

function pulled(world: World, force = false): World {
  switch (pullAction(stateOf(world), force, world.n8n !== undefined)) {
    case 'create':
    case 'update':
    case 'note':
      return { base: world.n8n, file: world.n8n, n8n: world.n8n };
    case 'delete':
    case 'forget':
      return { n8n: world.n8n };
    default:
      return world;
  }
}

function pushed(world: World, force = false): World {
  switch (pushAction(stateOf(world), { force, archive: true }, has(world))) {
    case 'create':
    case 'update':
    case 'note':
      return { base: world.file, file: world.file, n8n: world.file };
    case 'delete':
    case 'forget':
      return { file: world.file };
    default:
      return world;
  }
}

const content = fc.constantFrom<(string | undefined)[]>('a', 'b', 'c', undefined);
const anyWorld = fc.record({ base: content, file: content, n8n: content });

describe('pull and push', () => {
  test('end in step, whatever was before, unless there is a conflict', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        if (stateOf(world) === 'conflict') {
          expect(pushed(pulled(world))).toEqual(world);
          return;
        }
        const { file, n8n } = pushed(pulled(world));
        expect(file).toBe(n8n);
        expect(pulled(pushed(world)).file).toBe(file);
      }),
    );
  });

  test('never overwrite a change of the other side', () => {
    fc.assert(
      fc.property(anyWorld, ({ base, file, n8n }) => {
        const world = { base, file, n8n };
        expect(pulled(world).file).toBe(file === base ? pulled(world).file : file);
        expect(pushed(world).n8n).toBe(n8n === base ? pushed(world).n8n : n8n);
      }),
    );
  });

  test('with force, make the other side like their own', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        // Only the other command knows what to do with what is new on the other side.
        const { file, n8n } = world;
        expect(pulled(world, true).file).toBe(stateOf(world) === 'only here' ? file : n8n);
        expect(pushed(world, true).n8n).toBe(stateOf(world) === 'only in n8n' ? n8n : file);
      }),
    );
  });
});
