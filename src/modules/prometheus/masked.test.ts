import { expect, it, test } from 'vitest';
import { maskedConfig, maskedText } from './masked.ts';

test.each([
  ['http://ann:secret@host/metrics', 'http://[redacted]@host/metrics'],
  ['http://host/metrics?match=up&api_key=secret', 'http://host/metrics?match=up&api_key=[redacted]'],
  ['Get "http://h/x?access_token=secret": EOF', 'Get "http://h/x?access_token=[redacted]": EOF'],
  ['http://host:9100/metrics', 'http://host:9100/metrics'],
])('%s', (text, masked) => {
  expect(maskedText(text)).toBe(masked);
});

it('hides the secrets of a configuration that Prometheus shows', async () => {
  const masked = await maskedConfig(
    [
      'global: { scrape_interval: 15s }',
      'scrape_configs:',
      '- job_name: a',
      '  basic_auth: { username: ann, password: <secret> }',
      '  params:',
      '    token: [hidden-one]',
      '  static_configs:',
      '  - targets: [host:9100]',
      'remote_write:',
      '- url: https://ann:hidden-two@mimir/push',
      '  headers: { X-Api-Key: hidden-three, X-Scope-OrgID: tenant }',
    ].join('\n'),
  );
  expect(masked).not.toContain('hidden');
  expect(masked).toContain('scrape_interval: 15s');
  expect(masked).toContain('X-Scope-OrgID: tenant');
  expect(masked).toContain('host:9100');
});

it('refuses aliases that would make it large', async () => {
  await expect(maskedConfig('a: &a [x, x]\nb: [*a, *a]')).rejects.toThrow('Alias');
});

test('a long secret is masked whole', () => {
  const long = 's3cret'.repeat(200);
  expect(maskedText(`http://joe:${long}@a/?token=${long}`)).toBe('http://[redacted]@a/?token=[redacted]');
});
