import { describe, expect, test } from 'vitest';
import { formFields, formText, formValue } from './form-fields.ts';

type Json = Record<string, unknown>;
const options = (...all: string[]) => ({ fieldOptions: { values: all.map((option) => ({ option })) } });

/** What is sent to n8n for one field; undefined if nothing is. */
function sent(value: Json, given?: unknown, typeVersion = 2.2): string | undefined {
  const [field] = formFields({ name: 'F', type: 'f', typeVersion, parameters: { formFields: { values: [value] } } });
  if (!field) throw new Error('There is no field.');
  const filled = formValue(field, given);
  return filled === undefined ? undefined : formText(field, filled);
}

describe('a field of a form', () => {
  test('that is not filled in is sent as a browser sends it', () => {
    expect(sent({ fieldLabel: 'A' })).toBe('');
    expect(sent({ fieldLabel: 'A', defaultValue: 'x' })).toBe('x');
    expect(sent({ fieldLabel: 'A', defaultValue: '={{ $now }}' })).toBe('');
    expect(sent({ fieldLabel: 'A', fieldType: 'number' })).toBeUndefined();
    expect(sent({ fieldLabel: 'A', fieldType: 'number', defaultValue: '3' })).toBe('3');
    expect(sent({ fieldLabel: 'A', fieldType: 'date', defaultValue: '2026-11-30T00:00:00' })).toBe('2026-11-30');
    expect(sent({ fieldName: 'a', fieldType: 'hiddenField', fieldValue: 'h' })).toBe('h');
    expect(sent({ fieldLabel: 'A', fieldType: 'checkbox', ...options('x', 'y', 'z'), defaultValue: 'x, z' })).toBe(
      '["x","z"]',
    );
    expect(sent({ fieldLabel: 'A', fieldType: 'radio', ...options('x', 'y') })).toBeUndefined();
    expect(sent({ fieldLabel: 'A', fieldType: 'radio', ...options('x', 'y'), defaultValue: 'y' })).toBe('["y"]');
    expect(sent({ fieldLabel: 'A', fieldType: 'file', requiredField: false })).toBeUndefined();
  });

  test('that is required has to be filled in, unless it has a default', () => {
    const required = { fieldLabel: 'A', requiredField: true };
    expect(() => sent(required)).toThrow('The form requires A.');
    expect(() => sent(required, '')).toThrow('The form requires A.');
    expect(sent({ ...required, defaultValue: 'x' })).toBe('x');
    const boxes = { ...required, fieldType: 'checkbox', ...options('x', 'y') };
    expect(() => sent(boxes)).toThrow('The form requires A. Its options: x, y.');
    expect(() => sent(boxes, [])).toThrow('The form requires A.');
  });

  test('takes choices by their text, whatever their type', () => {
    const size = { fieldLabel: 'A', fieldType: 'dropdown', ...options('1', '2') };
    expect(sent(size, 1)).toBe('1');
    expect(sent(size, ['2'])).toBe('2');
    expect(sent({ ...size, multiselect: true }, '1')).toBe('["1"]');
    expect(sent({ ...size, multiselect: true }, '1', 2.3)).toBe('1');
    const one = { fieldLabel: 'A', fieldType: 'checkbox', ...options('Yes') };
    expect([sent(one, true), sent(one, false)]).toEqual(['["Yes"]', '[]']);
  });

  test('whose options are expressions takes anything', () => {
    expect(sent({ fieldLabel: 'A', fieldType: 'radio', ...options('={{ 1 }}', 'b') }, 'c')).toBe('["c"]');
  });

  test('that limits how many can be chosen says so', () => {
    const range = { limitSelection: 'range', minSelections: 1, maxSelections: 2 };
    const boxes = { fieldLabel: 'A', fieldType: 'checkbox', ...options('x', 'y', 'z'), ...range };
    expect(sent(boxes, ['x', 'x', 'y'])).toBe('["x","y"]');
    expect(() => sent(boxes, ['x', 'y', 'z'])).toThrow('takes 1 to 2 of: x, y, z');
  });
});
