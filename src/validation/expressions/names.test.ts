import { describe, expect, it } from 'vitest';
import { parseBody, parseExpression } from './javascript.ts';
import { namesIn } from './names.ts';

function inExpression(code: string) {
  const { program } = parseExpression(code);
  if (!program) throw new Error(`"${code}" does not parse.`);
  return namesIn(program);
}

function inBody(code: string) {
  const { program } = parseBody(code);
  if (!program) throw new Error(`"${code}" does not parse.`);
  return namesIn(program);
}

const free = (code: string) => inExpression(code).free.map(({ name }) => name);
const nodes = (code: string) => inExpression(code).references.map(({ name, form, member }) => [name, form, member]);

describe('the names in an expression', () => {
  it('are references to other nodes, in every form', () => {
    expect(nodes('$("A").item.json')).toEqual([['A', '$', 'item']]);
    expect(nodes("$('A').first().json")).toEqual([['A', '$', 'first']]);
    expect(nodes('$(`A`)?.all()')).toEqual([['A', '$', 'all']]);
    expect(nodes('$node["A b"].json')).toEqual([['A b', '$node', 'json']]);
    expect(nodes('$node.A["json"]')).toEqual([['A', '$node', 'json']]);
    expect(nodes('$items("A", 0)[0].json')).toEqual([['A', '$items', undefined]]);
    expect(nodes('$item(0).$node["A"].json')).toEqual([['A', '$node', 'json']]);
  });

  it('are not references that only a run can resolve', () => {
    expect(nodes('$(name)')).toEqual([]);
    expect(nodes('$node[$json.a]')).toEqual([]);
    expect(nodes('$(`A${1}`)')).toEqual([]);
  });

  it('are names that it does not declare itself', () => {
    expect(free('$json.a + b')).toEqual(['$json', 'b']);
    expect(free('list.map((one, i) => one.name + i)')).toEqual(['list']);
    expect(free('(({ a, b: [c] }, ...d) => a + c + d.length)($json)')).toEqual(['$json']);
    expect(free('{ a: 1, [b]: c, d }')).toEqual(['b', 'c', 'd']);
    expect(free('(() => { const x = 1; try { y() } catch (e) { throw e } return x })()')).toEqual(['y']);
  });
});

describe('the code of a node', () => {
  it('may define its own $', () => {
    expect(inBody("const $ = load(page); return $('h1').text();").references).toEqual([]);
  });

  it('knows which references are in a try block', () => {
    const [caught, free] = inBody("try { $('A').all() } catch {} return $('B').all();").references;
    expect([caught?.name, caught?.inTry, free?.name, free?.inTry]).toEqual(['A', true, 'B', false]);
  });

  it('returns, unless only an inner function does', () => {
    expect(inBody('if (a) { return 1; }').returns).toBe(true);
    expect(inBody('const f = () => { return 1; }; f();').returns).toBe(false);
  });
});
