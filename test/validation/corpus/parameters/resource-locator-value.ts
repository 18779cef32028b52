import { broken, type Case, valid } from '../../case.ts';
import { alone, at, one } from '../../one-node.ts';

const rule = 'resource-locator-value';
const read = (mode: string, value: unknown) =>
  one('googleSheets', 4.5, {
    operation: 'read',
    documentId: { __rl: true, mode, value },
    sheetName: { __rl: true, mode: 'name', value: 'Sheet1' },
  });
const url = 'https://docs.google.com/spreadsheets/d/1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUvWxYz/edit';

export const cases: Case[] = [
  valid('the URL of a document', read('url', url), { ...alone, warnings: ['missing-credential'] }),
  valid('one from an expression', read('url', '={{ $json.url }}'), {
    ...alone,
    warnings: ['missing-credential'],
  }),
  broken(
    'an id instead of a URL',
    read('url', '1A2b3C4d5E6f'),
    [{ rule, path: at('documentId', 'value'), severity: 'error' }],
    alone,
  ),
  broken(
    'the same, to save it',
    read('url', '1A2b3C4d5E6f'),
    [{ rule, path: at('documentId', 'value'), severity: 'warning' }],
    {
      ...alone,
      purpose: 'save',
    },
  ),
  broken('an id with invalid characters', read('id', 'my sheet!'), [{ rule, path: at('documentId', 'value') }], alone),
  broken(
    'the name of its mode instead of a URL',
    read('url', 'url'),
    [{ rule, path: at('documentId', 'value'), severity: 'warning' }],
    alone,
  ),
  broken(
    'a placeholder instead of a URL',
    read('url', 'YOUR_GOOGLE_SHEET_URL'),
    [{ rule, path: at('documentId', 'value'), severity: 'warning' }],
    alone,
  ),
  broken(
    'a placeholder, to publish it',
    read('url', 'YOUR_GOOGLE_SHEET_URL'),
    [{ rule, path: at('documentId', 'value'), severity: 'error' }],
    { ...alone, purpose: 'publish' },
  ),
];
