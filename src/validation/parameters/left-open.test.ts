import { describe, expect, it } from 'vitest';
import { filledIn, isOwn, isPlaceholder, isUnchosen, isUntouched, namesAnAddress, wasChosen } from './left-open.ts';

describe('a placeholder', () => {
  it.each([
    'YOUR_GOOGLE_SHEET_URL',
    '<your apify url>',
    'https://<project_id>.supabase.co/storage',
    '[supabase URL]',
    '{YOUR_AIRTABLE_BASE_ID}',
    '{FOLDER_ID}',
    '<__PLACEHOLDER_VALUE__Slack Channel ID__>',
    'XXXX',
    'REPLACE_WITH_ID',
    'http:/YOUR_AWS_SECRET_KEY_HERE/delete',
    'yoururlapi.com',
    'REDACTED',
    '__YOUR_FOLDERID__',
    '=https://<your-domain>.example.com/{{ $json.id }}',
  ])('is %s', (text) => {
    expect(isPlaceholder(text)).toBe(true);
  });

  it.each([
    'https://example.com/a[0]',
    'api.example.com',
    'ftp://example.com/',
    'primary',
    'https://example.com/{{ $json.your_id }}',
    'C0123456789',
    'youtube.com/x',
    '1x2y',
  ])('is not %s', (text) => {
    expect(isPlaceholder(text)).toBe(false);
  });
});

describe('a chooser in which nothing is chosen', () => {
  const chooser = { type: 'resourceLocator' };

  it('has an empty value', () => {
    expect(isUnchosen(chooser, { __rl: true, mode: 'list', value: '' })).toBe(true);
    expect(isUnchosen(chooser, '')).toBe(true);
  });

  it('is not a chooser with a value, and not another field', () => {
    expect(isUnchosen(chooser, { __rl: true, mode: 'list', value: 0 })).toBe(false);
    expect(isUnchosen(chooser, { mode: 'list', value: '' })).toBe(false);
    expect(isUnchosen({ type: 'string' }, '')).toBe(false);
  });
});

describe('a chooser that has lost its value', () => {
  it('still has the name or the URL of the choice', () => {
    expect(wasChosen({ __rl: true, mode: 'list', cachedResultName: 'CVs' })).toBe(true);
    expect(wasChosen({ __rl: true, mode: 'list' })).toBe(false);
    expect(wasChosen({ mode: 'list', cachedResultName: 'CVs' })).toBe(false);
  });
});

describe('a value that authors remove before they share a workflow', () => {
  const property = (name: string, type = 'string') => ({ name, type });

  it.each(['sendTo', 'chatId', 'toEmail', 'documentURL'])('is %s', (name) => {
    expect(isOwn(property(name))).toBe(true);
  });

  it('is the choice of a resource locator', () => {
    expect(isOwn(property('anything', 'resourceLocator'))).toBe(true);
  });

  it.each(['url', 'text', 'query', 'message', 'subject', 'path'])('is not %s', (name) => {
    expect(isOwn(property(name))).toBe(false);
  });
});

describe('an untouched node', () => {
  const description = {
    properties: [
      { name: 'method', type: 'options', displayName: 'Method', default: 'GET' },
      { name: 'url', type: 'string', displayName: 'URL', default: '' },
    ],
  } as unknown as Parameters<typeof isUntouched>[0]['description'];

  it.each([{}, { options: {} }, { method: 'POST', options: {} }])('has %j', (parameters) => {
    expect(isUntouched({ parameters, description })).toBe(true);
  });

  it.each([{ url: 'https://example.com' }, { options: { timeout: 1 } }, { method: 'POST', url: '' }])(
    'does not have %j',
    (parameters) => {
      expect(isUntouched({ parameters, description })).toBe(false);
    },
  );
});

describe('text that names a URL', () => {
  it.each(['URL APIFY', '=Apify_Actor_Endpoint_URL', 'copy get run URL from Apify'])('is %s', (text) => {
    expect(namesAnAddress(text)).toBe(true);
  });

  it.each(['not-a-url', 'NOT A URL', 'INVALID_URL', 'api_url', 'example.com/URL', 'CURL', 'ftp://URL'])(
    'is not %s',
    (text) => {
      expect(namesAnAddress(text)).toBe(false);
    },
  );
});

describe('code with placeholders', () => {
  it('is filled in', () => {
    expect(filledIn('a !== <<replace your ID here>>;')).toBe('a !== 0;');
  });

  it('is not confused with a comparison', () => {
    expect(filledIn('a < your && b > c')).toBeUndefined();
    expect(filledIn('a <your && b> c')).toBeUndefined();
    expect(filledIn('a <b> c')).toBeUndefined();
  });
});
