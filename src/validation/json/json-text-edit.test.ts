import { describe, expect, it } from 'vitest';
import { applyPatch } from '../fixes/apply-fix.ts';
import type { PatchOperation } from '../finding.ts';
import { patchedText } from './json-text-edit.ts';

const pretty = `{
  "a": { "x": 1,   "y": [1, 2] },
  "list": [
    "one",
    "two"
  ],
  "empty": {},
  "none": []
}
`;
const tight = '{"a":{"x":1,"y":[1,2]},"list":["one","two"],"empty":{},"none":[]}';

const cases: [PatchOperation, string][] = [
  [{ op: 'replace', path: '/a/x', value: 'new' }, '"x": "new",   "y"'],
  [{ op: 'remove', path: '/a/x' }, '{ "y": [1, 2] }'],
  [{ op: 'remove', path: '/a/y' }, '{ "x": 1 }'],
  [{ op: 'remove', path: '/list/0' }, '[\n    "two"\n  ]'],
  [{ op: 'remove', path: '/list/1' }, '[\n    "one"\n  ]'],
  [{ op: 'add', path: '/a/z', value: { deep: [1] } }, '"y": [1, 2], "z": {"deep":[1]} }'],
  [{ op: 'add', path: '/new', value: { deep: 1 } }, '"none": [],\n  "new": {\n    "deep": 1\n  }\n}'],
  [{ op: 'add', path: '/list/-', value: 'three' }, '"two",\n    "three"\n  ]'],
  [{ op: 'add', path: '/list/1', value: 'between' }, '"one",\n    "between",\n    "two"'],
  [{ op: 'add', path: '/empty/k', value: 1 }, '{"k": 1}'],
  [{ op: 'add', path: '/none/0', value: 1 }, '"none": [1]'],
  [{ op: 'add', path: '/a/x', value: 2 }, '"x": 2,   "y"'],
];

describe('editing JSON text', () => {
  it.each(cases)('%j leaves everything else unchanged', (operation, shown) => {
    expect(patchedText(pretty, [operation])).toContain(shown);
  });

  it.each(cases)('%j gives the same result as on the object', (operation) => {
    for (const text of [pretty, tight]) {
      const object = JSON.parse(text) as unknown;
      expect(applyPatch(object, [operation])).toBe(true);
      expect(JSON.parse(patchedText(text, [operation]) ?? 'null')).toEqual(object);
    }
  });

  it('adds no spaces to compact text', () => {
    expect(patchedText(tight, [{ op: 'add', path: '/a/z', value: 1 }])).toContain('"y":[1,2],"z":1}');
  });

  it('applies several, each to the result of the one before', () => {
    const patch: PatchOperation[] = [
      { op: 'remove', path: '/list/0' },
      { op: 'replace', path: '/list/0', value: 'second' },
      { op: 'remove', path: '/list/0' },
    ];
    expect(patchedText(pretty, patch)).toContain('"list": []');
  });

  it.each<PatchOperation>([
    { op: 'remove', path: '/gone' },
    { op: 'replace', path: '/a/gone', value: 1 },
    { op: 'add', path: '/gone/x', value: 1 },
    { op: 'add', path: '/list/7', value: 1 },
    { op: 'remove', path: '' },
    { op: 'replace', path: '/a/x/deeper', value: 1 },
  ])('returns undefined if the patch does not fit: %j', (operation) => {
    expect(patchedText(pretty, [operation])).toBeUndefined();
  });
});
