import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';

export interface TokenWish {
  readonly claims?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
  /** Signs with a key other than the published one. */
  readonly foreign?: boolean;
}

export interface IdentityProvider extends AsyncDisposable {
  readonly url: string;
  /** Its public key as text. It is not a secret, so it must not work as one. */
  readonly publicKey: string;
  /** A token for that audience, valid except for the given claims; `undefined` leaves a claim out. */
  sign(audience: string, wish?: TokenWish): Promise<string>;
}

const KID = 'attack-1';

/** An identity provider that the gateway trusts, and that signs whatever it is told. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const [own, other] = await Promise.all([generateKeyPair('RS256', { extractable: true }), generateKeyPair('RS256')]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: KID, use: 'sig', alg: 'RS256' };
  const server = createServer((request, response) => {
    const documents = new Map<string, object>([
      ['/.well-known/oauth-authorization-server', { issuer: url, jwks_uri: `${url}/keys` }],
      ['/keys', { keys: [jwk] }],
    ]);
    const document = documents.get(request.url ?? '');
    response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    publicKey: await exportSPKI(own.publicKey),
    sign(audience, { claims = {}, header = {}, foreign = false } = {}) {
      const exp = Math.floor(Date.now() / 1000) + 3600;
      const payload = { iss: url, aud: audience, sub: 'somebody', exp, ...claims };
      const key = foreign ? other.privateKey : own.privateKey;
      return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: KID, ...header }).sign(key);
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A token that no library would sign. */
export function handmade(header: object, claims: object, signature = ''): string {
  return [...[header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')), signature].join(
    '.',
  );
}
