import { describe, expect, it } from 'vitest';
import { parseBody, parseExpression } from './javascript.ts';
import { namesIn } from './names.ts';

function inExpression(code: string) {
  const { program } = parseExpression(code);
  if (!program) throw new Error(`"${code}" cannot be read.`);
  return namesIn(program);
}

function inBody(code: string) {
  const { program } = parseBody(code);
  if (!program) throw new Error(`"${code}" cannot be read.`);
  return namesIn(program);
}

const free = (code: string) => inExpression(code).free.map(({ name }) => name);
const nodes = (code: string) => inExpression(code).references.map(({ name, form, member }) => [name, form, member]);

describe('what an expression talks about', () => {
  it('is other nodes, in every way of naming them', () => {
    expect(nodes('$("A").item.json')).toEqual([['A', '$', 'item']]);
    expect(nodes("$('A').first().json")).toEqual([['A', '$', 'first']]);
    expect(nodes('$(`A`)?.all()')).toEqual([['A', '$', 'all']]);
    expect(nodes('$node["A b"].json')).toEqual([['A b', '$node', 'json']]);
    expect(nodes('$node.A["json"]')).toEqual([['A', '$node', 'json']]);
    expect(nodes('$items("A", 0)[0].json')).toEqual([['A', '$items', undefined]]);
    expect(nodes('$item(0).$node["A"].json')).toEqual([['A', '$node', 'json']]);
  });

  it('is not what is only known later', () => {
    expect(nodes('$(name)')).toEqual([]);
    expect(nodes('$node[$json.a]')).toEqual([]);
    expect(nodes('$(`A${1}`)')).toEqual([]);
  });

  it('is names that it does not declare itself', () => {
    expect(free('$json.a + b')).toEqual(['$json', 'b']);
    expect(free('list.map((one, i) => one.name + i)')).toEqual(['list']);
    expect(free('(({ a, b: [c] }, ...d) => a + c + d.length)($json)')).toEqual(['$json']);
    expect(free('{ a: 1, [b]: c, d }')).toEqual(['b', 'c', 'd']);
    expect(free('(() => { const x = 1; try { y() } catch (e) { throw e } return x })()')).toEqual(['y']);
  });
});

describe('the code of a node', () => {
  it('may call something else $', () => {
    expect(inBody("const $ = load(page); return $('h1').text();").references).toEqual([]);
  });

  it('is known to catch what fails', () => {
    const [caught, free] = inBody("try { $('A').all() } catch {} return $('B').all();").references;
    expect([caught?.name, caught?.inTry, free?.name, free?.inTry]).toEqual(['A', true, 'B', false]);
  });

  it('returns, or only a function in it does', () => {
    expect(inBody('if (a) { return 1; }').returns).toBe(true);
    expect(inBody('const f = () => { return 1; }; f();').returns).toBe(false);
  });
});
