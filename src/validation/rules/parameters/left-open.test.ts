import { describe, expect, it } from 'vitest';
import { filledIn, isBlanked, isPlaceholder, isUnchosen, namesAnAddress, wasChosen } from './left-open.ts';

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
  it('has an empty value', () => {
    expect(isUnchosen({ __rl: true, mode: 'list', value: '' })).toBe(true);
  });

  it('is not one with a value, nor what is no chooser', () => {
    expect(isUnchosen({ __rl: true, mode: 'list', value: 0 })).toBe(false);
    expect(isUnchosen({ mode: 'list', value: '' })).toBe(false);
    expect(isUnchosen('')).toBe(false);
  });
});

describe('a chooser that has lost its value', () => {
  it('still has the name or the address of what was chosen', () => {
    expect(wasChosen({ __rl: true, mode: 'list', cachedResultName: 'CVs' })).toBe(true);
    expect(wasChosen({ __rl: true, mode: 'list' })).toBe(false);
    expect(wasChosen({ mode: 'list', cachedResultName: 'CVs' })).toBe(false);
  });
});

describe('a value that somebody has blanked', () => {
  const field = (name: string, value: unknown, given = true, type = 'string') => ({
    property: { name, type, displayName: name, default: '' },
    given,
    value,
  });

  it.each(['sendTo', 'chatId', 'toEmail', 'documentURL'])('is an empty %s', (name) => {
    expect(isBlanked(field(name, ''))).toBe(true);
  });

  it('is an empty chooser', () => {
    expect(isBlanked(field('anything', '', true, 'resourceLocator'))).toBe(true);
  });

  it.each(['url', 'text', 'query', 'message', 'subject', 'path'])('is not an empty %s', (name) => {
    expect(isBlanked(field(name, ''))).toBe(false);
  });

  it('is not one that is absent, nor one with a value', () => {
    expect(isBlanked(field('sendTo', '', false))).toBe(false);
    expect(isBlanked(field('sendTo', undefined))).toBe(false);
    expect(isBlanked(field('sendTo', 'a@example.com'))).toBe(false);
  });
});

describe('the name of an address', () => {
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

describe('code with places left open', () => {
  it('is filled in', () => {
    expect(filledIn('a !== <<replace your ID here>>;')).toBe('a !== 0;');
  });

  it('is not what compares', () => {
    expect(filledIn('a < your && b > c')).toBeUndefined();
    expect(filledIn('a <your && b> c')).toBeUndefined();
    expect(filledIn('a <b> c')).toBeUndefined();
  });
});
