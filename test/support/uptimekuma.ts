/**
 * An Uptime Kuma for tests. The one on npm is a pre-release that does not start as it is, so a stand-in answers:
 * test/support/uptimekuma. TEST_UPTIMEKUMA_URL names a real one instead, 1.23 or 2.x, in which tests create and delete
 * monitors and status pages whose names begin with `sluice-`:
 *
 *   TEST_UPTIMEKUMA_URL=http://127.0.0.1:3001 TEST_UPTIMEKUMA_USERNAME=admin TEST_UPTIMEKUMA_PASSWORD=… \
 *     npx vitest run test/integration/modules/uptimekuma.test.ts
 */
import { type FakeKuma, type KumaOptions, startKuma } from './uptimekuma/server.ts';

export const realUrl = process.env.TEST_UPTIMEKUMA_URL;

export interface TestKuma extends AsyncDisposable {
  /** The keys of a section of `modules`. */
  readonly section: { readonly url: string; readonly username: string; readonly password: string };
  /** What only the stand-in can do. Throws for a real server: skip those tests with `realUrl`. */
  readonly server: FakeKuma;
}

const USER = { name: 'admin', password: 'pa55-word!' };

/** A real server if one is named, unless the test needs one with these options. */
export async function testKuma(options?: KumaOptions): Promise<TestKuma> {
  if (realUrl !== undefined && !options) {
    const { TEST_UPTIMEKUMA_USERNAME: username = '', TEST_UPTIMEKUMA_PASSWORD: password = '' } = process.env;
    return {
      section: { url: realUrl, username, password },
      get server(): FakeKuma {
        throw new Error('A real server is in use. Skip this test with realUrl.');
      },
      async [Symbol.asyncDispose]() {},
    };
  }
  const server = await startKuma({ user: USER, ...options });
  return {
    section: { url: server.url, username: USER.name, password: USER.password },
    server,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
