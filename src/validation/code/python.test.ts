import { describe, expect, it } from 'vitest';
import { pythonProblem, pythonReferences } from './python.ts';

describe('Python', () => {
  it.each([
    'return _items',
    'x: int = 1\nreturn [x]',
    'async def f(a, /, b, *, c=1, **d) -> int:\n    return await g(a)\nreturn f',
    'return f"{a[\'b\']:>{width}} {c!r}"',
    'with open("a") as f, open("b") as g:\n    pass\nreturn []',
    'return {**a, "b": [*c]}',
    'try:\n    pass\nexcept* ValueError as e:\n    raise\nreturn []',
    '@dataclass\nclass A(B, metaclass=C):\n    x: int = 1\nreturn A()',
    'return (lambda *a, **k: (a, k))()',
    "# a comment\n'''a\ntext'''\nreturn []",
  ])('parses: %j', (code) => {
    expect(pythonProblem(code)).toBeUndefined();
  });

  it.each([
    ['if x\n    pass', 4],
    ['return [1, 2', 12],
    ['x = = 1', 4],
    ['def f(:\n    pass', 6],
  ])('does not parse: %j', (code, offset) => {
    expect(pythonProblem(code)?.offset).toBe(offset);
  });

  it('does not throw on extreme nesting', () => {
    const nested = `{{ ${'(() => '.repeat(3000)}$('A').item${')'.repeat(3000)} }}`;
    expect(() => pythonProblem(nested)).not.toThrow();
  });

  it('contains references to other nodes', () => {
    expect(
      pythonReferences('a = _("A b").all()\nb = _node["C"]["json"]\nc = foo_("D")').map(({ name }) => name),
    ).toEqual(['A b', 'C']);
  });
});
