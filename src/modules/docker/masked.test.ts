import { expect, test } from 'vitest';
import { maskedLabels, maskedText, maskedWords, namesIn } from './masked.ts';

test.each([
  'postgres://app:hunter2@db/shop',
  'server --password hunter2 --port 80',
  'server --password=hunter2',
  'server --db-password "hunter2 x"',
  'DB_PASSWORD=hunter2 run',
  'export API_KEY=hunter2; run',
  'curl -H "Authorization: Bearer hunter2hunter2"',
  'mysql -u root -phunter2 shop',
  'redis-server --requirepass hunter2',
  'redis-cli -a hunter2 ping',
  'AUTH_TOKEN: hunter2',
])('%s is masked', (text) => {
  expect(maskedText(text)).not.toContain('hunter2');
  expect(maskedText(text)).toContain('[redacted]');
});

test.each(['nginx -g daemon off;', 'sh -c "ls -la /tmp"', 'node --port 8080 server.js', 'http://host:80/path'])(
  '%s stays as it is',
  (text) => {
    expect(maskedText(text)).toBe(text);
  },
);

test('a value that is a word of its own is masked', () => {
  expect(maskedWords(['run', '--token', 'hunter2', '--verbose'])).toEqual([
    'run',
    '--token',
    '[redacted]',
    '--verbose',
  ]);
});

test('labels are masked by their names and values', () => {
  const masked = maskedLabels({
    'traefik.http.middlewares.x.basicauth.users': 'admin:$apr1$hunter2',
    'api-token': 'hunter2',
    'app.url': 'redis://:hunter2@cache',
    'com.docker.compose.project': 'shop',
  });
  expect(JSON.stringify(masked)).not.toContain('hunter2');
  expect(masked['com.docker.compose.project']).toBe('shop');
});

test('an environment is its names', () => {
  expect(namesIn(['B=hunter2', 'A=x=y', 'C'])).toEqual(['A', 'B', 'C']);
});

test('a hostile text costs no more than its length', () => {
  const started = performance.now();
  for (const piece of ['password', '--password ', 'a:', 'x://', 'mysql ', 'auth-', '"', 'bearer '])
    maskedText(piece.repeat(100_000));
  expect(performance.now() - started).toBeLessThan(3000);
});
