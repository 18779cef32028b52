import { describe, expect, it } from 'vitest';
import { isPlaceholder, isUnchosen } from './left-open.ts';

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
