/** How to write structured values. n8n's descriptions do not say it. */
const forms: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  [
    'filter',
    {
      combinator: 'and',
      conditions: [{ leftValue: '={{ $json.a }}', operator: { type: 'string', operation: 'equals' }, rightValue: 'b' }],
      options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
    },
  ],
  ['assignmentCollection', { assignments: [{ id: '1', name: 'field', type: 'string', value: 'text' }] }],
  [
    'resourceMapper',
    { mappingMode: 'defineBelow', value: { column: '={{ $json.a }}' }, matchingColumns: ['column'], schema: [] },
  ],
  ['resourceLocator', { __rl: true, mode: 'id', value: 'its id' }],
]);

export const valueForm = (type: string): unknown => forms.get(type);
