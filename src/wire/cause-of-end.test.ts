import { expect, test } from 'vitest';
import { causeOfEnd } from './cause-of-end.ts';

test.each([
  ['npm error code E404', 'PACKAGE_NOT_FOUND'],
  ['GET https://example.com/x: 404 Not Found', 'PACKAGE_NOT_FOUND'],
  ['SLACK_TOKEN is required', 'SETTING_MISSING'],
  ['Please set the environment variable X', 'SETTING_MISSING'],
  ['Segmentation fault', undefined],
  ['', undefined],
])('%s -> %s', (words, code) => expect(causeOfEnd(words)?.code).toBe(code));
