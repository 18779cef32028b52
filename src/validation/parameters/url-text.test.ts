import { describe, expect, it } from 'vitest';
import { urlProblem } from './url-text.ts';

describe('a URL that is called', () => {
  it.each([
    'https://example.com',
    'HTTP://example.com/a?b=c d#e f',
    'http://user:pass@localhost:5678/x',
    'http://[::1]:80/',
    'https://example.com/a b',
    '=https://example.com/{{ $json.id }}/{{ $json["a b"] }}',
    '=https://{{ $json.host }}/a',
    '={{ $json.url }}',
    '={{ $json.base }}/a b',
    '{{ $json.url }}',
    '',
    '=',
  ])('%s is fine, or only a run can tell', (text) => expect(urlProblem(text)).toBeUndefined());

  it.each([
    ['example.com', 'must start'],
    ['/v1/orders', 'must start'],
    ['=/v1/{{ $json.id }}', 'must start'],
    ['<your url>', 'placeholder'],
    ['YOUR_URL', 'placeholder'],
    ['http:/example.com', 'must start'],
    ['https//example.com', 'must start'],
    ['ws://example.com', 'ws://'],
    ['https://https://example.com', 'twice'],
    ['https://<host>/a', 'placeholder'],
    ['https://exa_mple:port/a', 'parsed'],
    ['https://example.com/[Project ID]/b', 'placeholder'],
    ['https://', 'parsed'],
  ])('%s is not', (text, why) => expect(urlProblem(text)).toContain(why));
});
