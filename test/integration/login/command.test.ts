import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { loginCommand } from '../../../src/gateway/commands/login.ts';
import { placeOf } from '../../../src/place.ts';
import { startProtected, visit } from '../../fixtures/authorization-server.ts';
import { scriptedTerminal } from '../../fixtures/scripted-terminal.ts';
import { freePort } from '../../support/free-port.ts';
import { callTool, connectV2, startGateway, textOf } from '../harness.ts';
import { farStatus, untilRunning } from './harness.ts';

const bin = fileURLToPath(new URL('../../../bin/sluice.js', import.meta.url));

/** Runs `sluice login …` and collects its output. */
function login(home: string, ...args: string[]) {
  const child: ChildProcess = spawn(process.execPath, [bin, 'login', ...args], {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, SLUICE_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  const ended = once(child, 'close').then(([code]) => code as number);
  const link = () =>
    vi.waitFor(
      () => {
        expect(output.stdout, output.stderr).toMatch(/^http\S+\n/);
        return output.stdout.trim();
      },
      { timeout: 10_000 },
    );
  return { output, ended, link };
}

async function withHome<T>(config: object, work: (home: string) => Promise<T>): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), 'sluice-login-'));
  try {
    await writeFile(join(home, 'sluice.json'), JSON.stringify(config));
    return await work(home);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

describe('sluice login', () => {
  it('signs in through a browser, and a running gateway uses the login; --remove signs out', async () => {
    await using far = await startProtected();
    await using gateway = await startGateway({ mcpServers: { far: { url: far.url } } });
    expect((await farStatus(gateway)).state).toBe('FAILED');
    const command = login(gateway.home, 'far', '--no-browser');
    const page = await far.visit(await command.link(), 'ana');
    expect(page.text).toContain('Signed in to far');
    expect(await command.ended, command.output.stderr).toBe(0);
    expect(command.output.stderr).toContain(`Signed in to far at ${new URL(far.issuer).host}.`);
    await untilRunning(gateway);
    await using client = await connectV2(gateway);
    expect(textOf(await callTool(client, 'far__echo', { text: 'hi' }))).toContain('hi');
    for (const token of far.tokens) expect(JSON.stringify(command.output)).not.toContain(token);

    const removal = login(gateway.home, 'far', '--remove');
    expect(await removal.ended, removal.output.stderr).toBe(0);
    expect(removal.output.stderr).toContain('Signed out of far.');
    expect(far.requests).toContain('POST /token/revocation');
    await vi.waitFor(
      async () => {
        const refused = await callTool(client, 'far__echo', { text: 'hi' });
        expect(textOf(refused)).toContain('needs a login');
      },
      { timeout: 10_000 },
    );
  }, 45_000);

  it('accepts the final URL from a browser on another machine', async () => {
    await using far = await startProtected();
    await withHome({ mcpServers: { far: { url: far.url } } }, async (home) => {
      const { terminal, said } = scriptedTerminal([]);
      const printed = Promise.withResolvers<string>();
      const answers = [
        async () => 'http://127.0.0.1:1/callback?code=x&state=wrong',
        async () =>
          (await visit(await printed.promise, { 'x-account': 'ana' }, (url) => url.includes('/callback?'))).url,
      ];
      const answering = { ...terminal, print: printed.resolve, ask: async () => answers.shift()?.() };
      const command = loginCommand(placeOf({ SLUICE_HOME: home }, answering));
      const config = join(home, 'sluice.json');
      expect(await command.run({ values: { config, 'no-browser': true }, positionals: ['far'] })).toBe(0);
      expect(said.join('\n')).toContain('That is not the address: it starts with http://127.0.0.1:');
      expect(said.join('\n')).toContain('Signed in to far');
      expect(far.tokens).toHaveLength(2);
    });
  });

  it('knows the servers of presets whose variable is set', async () => {
    const preset = { url: 'http://127.0.0.1:9/mcp', when: { env: 'FAR_IS_THERE' } };
    await withHome({ presets: { far: preset } }, async (home) => {
      const { terminal, said } = scriptedTerminal([]);
      const remove = (env: Record<string, string>) =>
        loginCommand(placeOf({ SLUICE_HOME: home, ...env }, terminal)).run({
          values: { config: join(home, 'sluice.json'), remove: true },
          positionals: ['far'],
        });
      expect(await remove({ FAR_IS_THERE: '1' })).toBe(0);
      expect(said.join('\n')).toContain('You were not signed in to far.');
      await expect(remove({})).rejects.toThrow('There is no server far.');
    });
  });

  it('works with a client that was registered by hand', async () => {
    const port = await freePort();
    await using far = await startProtected({
      registration: false,
      clients: [
        {
          client_id: 'by-hand',
          client_secret: 'canary-by-hand',
          redirect_uris: [`http://127.0.0.1:${port}/callback`],
          application_type: 'native',
          grant_types: ['authorization_code', 'refresh_token'],
        },
      ],
    });
    const oauth = { clientId: 'by-hand', clientSecret: '${FAR_SECRET}', callbackPort: port };
    await withHome({ mcpServers: { far: { url: far.url, oauth } } }, async (home) => {
      await writeFile(join(home, '.env'), 'FAR_SECRET=canary-by-hand\n');
      const command = login(home, 'far', '--no-browser');
      await far.visit(await command.link(), 'ana');
      expect(await command.ended, command.output.stderr).toBe(0);
      expect(JSON.stringify(command.output)).not.toContain('canary');
    });
    const other = await startProtected({ registration: false });
    await using _ = other;
    await withHome({ mcpServers: { far: { url: other.url } } }, async (home) => {
      const command = login(home, 'far', '--no-browser');
      expect(await command.ended).toBe(1);
      expect(command.output.stderr).toContain('set "oauth.clientId" of the server to its id');
    });
  });

  it.each([
    ['nobody', 'There is no server nobody. The servers with a URL are far, open.', 1],
    ['local', 'local needs no sign-in: it is a program', 1],
    ['far', 'cannot be reached', 3],
  ])('says what is wrong with %s', async (server, message, code) => {
    const mcpServers = {
      local: { command: 'true' },
      far: { url: 'http://127.0.0.1:1/mcp' },
      open: { url: 'http://127.0.0.1:1/other' },
    };
    await withHome({ mcpServers }, async (home) => {
      const command = login(home, server);
      expect(await command.ended).toBe(code);
      expect(command.output.stderr).toContain(message);
    });
  });
});
