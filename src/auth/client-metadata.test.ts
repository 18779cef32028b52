import { describe, expect, it } from 'vitest';
import { type ClientMetadata, fitMetadata, shownName } from './client-metadata.ts';

function fitted(metadata: ClientMetadata): ClientMetadata {
  fitMetadata(metadata);
  return metadata;
}

describe('client metadata', () => {
  it('keeps the grants we offer and adds the ones a client needs', () => {
    const grants = ['authorization_code', 'urn:ietf:params:oauth:grant-type:jwt-bearer'];
    expect(
      fitted({ grant_types: grants, response_types: ['code', 'token'], scope: 'anything', client_uri: '' }),
    ).toEqual({
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
    });
  });

  it('has no shared secret if the document is published', () => {
    const method = { token_endpoint_auth_method: 'client_secret_basic' };
    expect(fitted({ client_id: 'https://app.example/c', ...method }).token_endpoint_auth_method).toBe('none');
    expect(fitted({ client_id: 'abc', ...method }).token_endpoint_auth_method).toBe('client_secret_basic');
  });
});

describe('a client name', () => {
  it.each([
    ['Claude', 'Claude'],
    ['  Claude\u0000\u202e\u2066 Code\n', 'Claude Code'],
    ['\u200b', 'A program without a name'],
    ['x'.repeat(101), `${'x'.repeat(100)}…`],
  ])('%j is shown as %j', (given, shown) => {
    expect(shownName(given)).toBe(shown);
  });
});
