import { describe, expect, it } from 'vitest';
import { refusal } from './explain.ts';

const spot = { at: 'S3 at s3.example.com', bucket: 'mine' };
const xml = (code: string, more = '') =>
  `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>Said.</Message><AWSAccessKeyId>AKIASECRET</AWSAccessKeyId><SignatureProvided>abc123</SignatureProvided>${more}</Error>`;
const explained = (status: number, body: string, headers: Record<string, string> = {}) =>
  refusal(spot, { status, headers, body, doing: 'write' });

describe('an answer of S3', () => {
  it.each([
    [403, 'InvalidAccessKeyId', /accessKeyId/],
    [403, 'SignatureDoesNotMatch', /secretAccessKey/],
    [400, 'ExpiredToken', /sessionToken/],
    [403, 'AccessDenied', /does not allow this key to write.*s3:PutObject/],
    [404, 'NoSuchBucket', /no bucket "mine"/],
    [503, 'SlowDown', /fewer requests/],
    [507, 'XMinioStorageFull', /no room/],
    [501, 'NotImplemented', /encryption/],
    [400, 'InvalidArgument', /refused to write: InvalidArgument: Said\. \(HTTP 400\)/],
  ])('%i %s says what to do', (status, code, words) => {
    const error = explained(status, xml(code));
    expect(error).toMatchObject({ status, s3Code: code });
    expect(error.message).toMatch(/^S3 at s3\.example\.com /);
    expect(error.message).toMatch(words);
    expect(error.message).not.toMatch(/AKIASECRET|abc123/);
  });

  it.each([
    [400, xml('AuthorizationHeaderMalformed', '<Region>eu-central-1</Region>'), {}],
    [301, xml('PermanentRedirect'), { 'x-amz-bucket-region': 'eu-central-1' }],
    [301, '', { 'x-amz-bucket-region': 'eu-central-1' }],
    [400, "<Error><Code>X</Code><Message>the region 'a' is wrong; expecting 'eu-central-1'</Message></Error>", {}],
  ])('%i with another region names it', (status, body, headers) => {
    expect(explained(status, body, headers).message).toContain('expects the region eu-central-1');
  });

  it('does not take the region of the bucket, which S3 always names, for another one', () => {
    const headers = { 'x-amz-bucket-region': 'eu-central-1' };
    expect(explained(503, xml('ServiceUnavailable'), headers).message).toContain('ServiceUnavailable: Said.');
    expect(explained(404, '', headers)).toMatchObject({ code: 'not_found' });
  });

  it('tells how far the clocks are apart', () => {
    const date = new Date(Date.now() - 1_020_000).toUTCString();
    expect(explained(403, xml('RequestTimeTooSkewed'), { date }).message).toContain('differs by 17 minutes');
  });

  it('is passing only if the same request may succeed later', () => {
    expect(explained(503, xml('SlowDown')).isPassing).toBe(true);
    expect(explained(400, xml('RequestTimeout')).isPassing).toBe(true);
    expect(explained(502, '<html>Bad gateway</html>').isPassing).toBe(true);
    expect(explained(501, xml('NotImplemented')).isPassing).toBe(false);
    expect(explained(403, xml('AccessDenied')).isPassing).toBe(false);
  });

  it.each([
    [200, '<html><body>Sign in</body></html>', 'text/html; charset=utf-8'],
    [502, '<html>Bad gateway</html>', 'text/html'],
    [404, '{"error":"nothing here"}', 'application/json'],
  ])('that is none (%i %s) is not quoted', (status, body, type) => {
    const { message } = explained(status, body, { 'content-type': type });
    expect(message).toContain(`something else than S3 does (${type.split(';')[0]})`);
    expect(message).toContain('backups.s3.endpoint');
    expect(message).not.toContain('<');
  });
});
