import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyse } from './analysis.ts';

function uses(source: string) {
  const found = analyse(source);
  if ('problem' in found) throw new Error(found.problem.message);
  return { roots: [...found.roots].sort(), steps: [...found.steps].sort(), inputs: [...found.inputs].sort() };
}

function problem(source: string) {
  const found = analyse(source);
  return 'problem' in found ? found.problem : undefined;
}

describe('analyse', () => {
  it('finds steps, inputs and other variables', () => {
    expect(uses('steps.a.result.url + steps["b-c"].result + inputs.x + inputs["y"] + host')).toEqual({
      roots: ['host', 'inputs', 'steps'],
      steps: ['a', 'b-c'],
      inputs: ['x', 'y'],
    });
    expect(uses('has(steps.a) && {"k": [inputs.z]}.k[index] == type(1)')).toEqual({
      roots: ['index', 'inputs', 'steps'],
      steps: ['a'],
      inputs: ['z'],
    });
    expect(uses('type(1) == int && strings.quote("a") == "a"').roots).toEqual([]);
  });

  it('does not count variables of comprehensions', () => {
    expect(uses('inputs.l.map(i, i + y).filter(j, j > i)').roots).toEqual(['i', 'inputs', 'y']);
    expect(uses('a.all(x, b.exists(y, x == y)) && x').roots).toEqual(['a', 'b', 'x']);
    expect(uses('x.map(x, x)').roots).toEqual(['x']);
    expect(uses('l.all(steps, steps.mine == 1)')).toEqual({ roots: ['l'], steps: [], inputs: [] });
  });

  it.each(['steps[inputs.x]', 'steps', 'json(steps)', 'steps.map(s, s)', 'steps["a" + "b"]', 'l.map(i, steps[i])'])(
    'wants the step of %s by its name',
    (source) => expect(problem(source)?.message).toContain('Name the step literally'),
  );

  it('takes names of prototypes for names', () => {
    expect(uses('steps.constructor.result + inputs.__proto__ + __proto__')).toEqual({
      roots: ['__proto__', 'inputs', 'steps'],
      steps: ['constructor'],
      inputs: ['__proto__'],
    });
    expect(problem('constructor(1)')?.message).toBe('There is no function "constructor".');
  });

  it.each([
    ['ident(inputs.team)', true],
    [' ident( "a" + inputs.b ) ', true],
    ['ident(a) + ident(b)', false],
    ['ident', false],
    ['"ident(a)"', false],
    ['[ident(a)][0]', false],
    ['true ? ident(a) : a', false],
  ])('says whether %s is one call of ident', (source, isIdent) => {
    expect(analyse(source)).toMatchObject({ isIdent });
  });

  it.each([
    ['sise(a)', 'There is no function "sise". Did you mean "size"?', 0],
    ['a + b.matchs("x")', 'There is no function "matchs". Did you mean "matches"?', 5],
    ['identt(a)', 'Did you mean "ident"?', 0],
    ['contains(a, "b")', 'x.contains(…)', 0],
    ['a.slug()', 'slug(x)', 1],
    ['has(a)', 'has(inputs.name)', 0],
    ['a.filter(i.b, true)', 'x.filter(item, item.id > 1)', 1],
    ['steps.note.id', 'Write steps.note.result.id.', 10],
    ['has(steps.note.output.id)', 'Write steps.note.result.output.', 14],
    ['Foo{a: 1}', 'Write an object as', 0],
    ['1 +', 'cannot be read at character 3', 2],
    ['', 'is empty', undefined],
    ['"a', 'cannot be read at character 1', 0],
    ['a.in', 'reserved keyword', 2],
    [`"${'a'.repeat(2000)}"`, 'more than 2000 characters', undefined],
    [`${'('.repeat(50)}1${')'.repeat(50)}`, 'nests more than 40 brackets', 40],
  ])('says what is wrong with %s', (source, words, offset) => {
    expect(problem(source)?.message).toContain(words);
    expect(problem(source)?.offset).toBe(offset);
  });

  it('reads brackets in texts as text', () => {
    expect(problem(`"${'('.repeat(100)}"`)).toBeUndefined();
  });

  it('reads any text in a short time', () => {
    const piece = fc.constantFrom(
      ...'( ) [ ] { } a . ?  : + - ! 1 1.5 "s" r" , has( .map(x, steps inputs && || in // \\'.split(' '),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 150 }), (pieces) => {
        const begin = performance.now();
        analyse(pieces.join(''));
        expect(performance.now() - begin).toBeLessThan(1_000);
      }),
      { numRuns: 300 },
    );
    for (const one of ['!', '-', 'a+', 'a?b:', 'a.b(', '[', '{a:', '(a?', 'a&&'])
      analyse(one.repeat(1990 / one.length));
  });
});
