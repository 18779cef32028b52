import { broken, type Case, valid } from '../../case.ts';
import { alone, at, one } from '../../one-node.ts';

const rule = 'invalid-url';
const get = (url: string) => one('httpRequest', 4.2, { url });

export const cases: Case[] = [
  valid('a complete URL', get('https://example.com/a?b=c d')),
  valid('with expressions in it', get('=https://example.com/{{ $json.id }}?q={{ $json.q }}')),
  valid('with its host from an expression', get('={{ $json.host }}/path')),
  valid('with a port', get('http://127.0.0.1:8080/a')),
  broken('no scheme', get('example.com/a'), [
    { rule, path: at('url'), severity: 'error', says: 'http://', fixed: get('https://example.com/a') },
  ]),
  broken('no scheme, with an expression', get('=example.com/{{ $json.id }}'), [{ rule, path: at('url') }]),
  broken('another scheme', get('ftp://example.com'), [{ rule, path: at('url'), says: 'ftp' }]),
  broken('a missing slash', get('https:/example.com'), [{ rule, path: at('url') }]),
  broken('a space in its host', get('https://exa mple.com'), [{ rule, path: at('url') }]),
  valid('a space in its path, which n8n encodes as %20', get('https://example.com/a b')),
  broken('a placeholder in its path', get('https://example.com/projects/[Project ID]/x'), [
    { rule, path: at('url'), severity: 'warning', says: 'placeholder' },
  ]),
  broken('a port that does not exist', get('https://example.com:99999/'), [{ rule, path: at('url') }]),
  broken('a placeholder', get('https://<YOUR_HOST>/api'), [{ rule, path: at('url'), severity: 'warning' }]),
  broken(
    'a placeholder, to publish it',
    get('https://<YOUR_HOST>/api'),
    [{ rule, path: at('url'), severity: 'error' }],
    { ...alone, purpose: 'publish' },
  ),
  broken('text that names a URL', get('Apify_Actor_Endpoint_URL'), [{ rule, path: at('url'), severity: 'warning' }]),
  broken('text that is not a URL', get('not-a-url'), [{ rule, path: at('url'), severity: 'error' }]),
  broken('a feed', one('rssFeedRead', 1.1, { url: 'example.com/feed' }), [{ rule, path: at('url') }], alone),
];
