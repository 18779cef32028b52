import { broken, type Case, valid } from '../../case.ts';
import { alone, at, one } from '../../one-node.ts';

const rule = 'unknown-option';
const url = 'https://example.com';
const request = (parameters: object) => one('httpRequest', 4.2, { url, ...parameters });

export const cases: Case[] = [
  valid('an option of the list', request({ method: 'PUT' })),
  valid('an option from an expression', request({ method: '={{ $json.method }}' })),
  broken('a method that does not exist', request({ method: 'FETCH' }), [
    { rule, path: at('method'), severity: 'error', says: 'PATCH' },
  ]),
  broken('the right option in lower case, which n8n understands', request({ method: 'post' }), [
    { rule, path: at('method'), severity: 'warning', fixed: request({ method: 'POST' }) },
  ]),
  broken('a hash in lower case, which n8n understands', one('crypto', 1, { type: 'sha256', value: 'a' }), [
    { rule, path: at('type'), severity: 'warning' },
  ]),
  broken('an option in capitals, which n8n does not understand', one('wait', 1.1, { amount: 1, unit: 'Seconds' }), [
    { rule, path: at('unit'), severity: 'error' },
  ]),
  broken(
    'the label from the editor instead of the value',
    one('merge', 3, { mode: 'Append' }),
    [{ rule, path: at('mode'), fixed: one('merge', 3, { mode: 'append' }) }],
    alone,
  ),
  broken(
    'a way of combining instead of the mode, which n8n understands',
    one('merge', 3.2, { mode: 'combineAll' }),
    [{ rule, path: at('mode'), severity: 'warning' }],
    alone,
  ),
  broken(
    'a way of combining that n8n does not understand there',
    one('merge', 3.2, { mode: 'combineByFields' }),
    [{ rule, path: at('mode'), severity: 'error' }],
    alone,
  ),
  broken(
    'one of several choices',
    one('telegramTrigger', 1.2, { updates: ['message', 'photo'] }),
    [{ rule, path: at('updates', 1), says: 'callback_query' }],
    alone,
  ),
  broken(
    'a choice in a group',
    one('formTrigger', 2.2, { formTitle: 'A', formFields: { values: [{ fieldLabel: 'B', fieldType: 'phone' }] } }),
    [{ rule, path: at('formFields', 'values', 0, 'fieldType'), severity: 'warning' }],
    alone,
  ),
  valid('a list from the service', one('openWeatherMap', 1, { locationSelection: 'cityName', cityName: 'Berlin' }), {
    ...alone,
    warnings: ['missing-credential'],
  }),
  broken(
    'the Python that n8n no longer offers',
    one('code', 2, { language: 'python', pythonCode: 'return []' }),
    [{ rule, path: at('language'), severity: 'warning' }],
    alone,
  ),
];
