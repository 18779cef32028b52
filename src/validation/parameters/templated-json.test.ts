import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/validation/cpu-time.ts';
import { templatedProblem } from './templated-json.ts';

describe('JSON with expressions in it', () => {
  it.each([
    '{{ $json }}',
    '{ "a": {{ $json.a }} }',
    '{ "a": "{{ $json.a }} and {{ $json.b }}" }',
    '{ "a": "say \\"{{ $json.a }}\\"" }',
    '[{{ $json.list }}]',
    '[{{ $json.first }}, {{ $json.second }}]',
    '{ {{ $json.fields }} }',
    '{ {{ $json.fields }}, "b": 1 }',
    '{ "a": 1 {{ $json.more }} }',
    '{ {{ $json.fieldsWithComma }} "b": 1 }',
    '{ {{ $json.name }}: 1 }',
    '{ "a": {{ JSON.stringify({ b: { c: 1 } }) }}, "d": 2 }',
    '{ "a": {{ unfinished }',
    '{{ $json.a }}{{ $json.b }}',
  ])('%s may be right', (text) => expect(templatedProblem(text)).toBeUndefined());

  it.each([
    '{ "a": {{ $json.a }} "b": 1, "c": 2 }',
    '{ "a": "{{ $json.a }}", }',
    '{ a: "{{ $json.a }}" }',
    "{ 'a': '{{ $json.a }}' }",
    '{ "a": "{{ $json.a }}"',
    '{ "a": 1, "b": }',
  ])('%s is wrong for every result', (text) => expect(templatedProblem(text)).toBeDefined());

  it('is checked quickly, however long it is', () => {
    const { ms } = cpuTime(() => {
      templatedProblem(`{ "a": [${'{{ $json.a }}, '.repeat(12_000)}`);
      templatedProblem(`{ "a": [${'{{ {{{ }}}} '.repeat(12_000)}`);
    });
    expect(ms).toBeLessThan(2000);
  });
});
