import { expect, test } from 'vitest';
import { maskedSettings, maskedText } from './masked.ts';
import { messageShown } from './tool.ts';

test('secrets of monitors are masked, whatever their field is called', () => {
  const shown = maskedSettings({
    type: 'http',
    authMethod: 'oauth2-cc',
    url: 'https://user:pa55word@example.com/?token=abc123&page=2',
    headers: '{"Authorization":"Bearer s3cret","X-Any":"s3cret"}',
    body: '{"password":"s3cret"}',
    basic_auth_user: 'joe',
    basic_auth_pass: 's3cret',
    bearer_token: 's3cret',
    oauth_client_secret: 's3cret',
    databaseConnectionString: 'Server=db;Password=s3cret',
    pushToken: 's3cret',
    radiusSecret: 's3cret',
    kafkaProducerSaslOptions: { mechanism: 'plain', password: 's3cret' },
    rabbitmqPassword: 's3cret',
    tlsKey: 's3cret',
    grpcMetadata: '{"x":"s3cret"}',
    screenshot: '/screenshots/s3cret.png',
    interval: 60,
    keyword: '',
    ignoreTls: false,
  });
  expect(JSON.stringify(shown)).not.toMatch(/s3cret|pa55word|abc123/);
  expect(shown).toMatchObject({
    url: 'https://[redacted]@example.com/?token=[redacted]&page=2',
    headers: { Authorization: '[redacted]', 'X-Any': '[redacted]' },
    basic_auth_user: 'joe',
    interval: 60,
  });
  expect(Object.keys(shown)).not.toContain('keyword');
});

test('headers that are not JSON are not shown', () => {
  expect(maskedSettings({ headers: 'Authorization: x' })).toEqual({ headers: '[redacted]' });
  expect(maskedText('connect to https://example.com failed')).toBe('connect to https://example.com failed');
});

test('only the fields of its type are shown', () => {
  const all = {
    name: 'x',
    interval: 60,
    dns_resolve_type: 'A',
    packetSize: 56,
    method: 'GET',
    oauth_auth_method: 'post',
  };
  expect(maskedSettings({ ...all, type: 'http' })).toEqual({ interval: 60, method: 'GET' });
  expect(maskedSettings({ ...all, type: 'ping' })).toEqual({ interval: 60, packetSize: 56 });
  expect(maskedSettings({ ...all, type: 'dns' })).toEqual({ interval: 60, dns_resolve_type: 'A' });
});

test('what is cut off does not unmask the rest, and a long secret is masked whole', () => {
  const text = `${'x'.repeat(170)} https://joe:pa55word-${'s'.repeat(60)}@example.com`;
  expect(messageShown(text)).not.toContain('pa55');
  const long = 's3cret'.repeat(200);
  expect(maskedText(`https://joe:${long}@example.com/?token=${long}&page=2`)).toBe(
    'https://[redacted]@example.com/?token=[redacted]&page=2',
  );
});
