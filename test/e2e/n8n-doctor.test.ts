import { expect, test } from 'vitest';
import { N8N_START_MS, n8nIsMissing, startN8n } from '../support/n8n.ts';
import { createPlace } from '../support/command-line.ts';

test.skipIf(n8nIsMissing)(
  'doctor checks each n8n, and shows its answer',
  async () => {
    const { url, apiKey, owner: login } = await startN8n();
    const wrong = { email: login.email, password: 'wrong' };
    await using place = await createPlace({
      server: { port: 0 },
      n8n: {
        default: { url, apiKey, login },
        keyed: { url, apiKey },
        keyless: { url },
        refused: { url, apiKey: 'wrong' },
        locked: { url, apiKey, login: wrong },
        away: { url: 'http://127.0.0.1:9', apiKey },
        own: { local: {} },
      },
    });
    const { code, stdout } = await place.run(['doctor']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok +n8n default: .* accepts the API key and the login$/m);
    expect(stdout).toMatch(/^ok +n8n keyed: .* accepts the API key; no login is set$/m);
    expect(stdout).toMatch(/^FAIL +n8n keyless: .* has no API key\n +Create one in n8n/m);
    expect(stdout).toMatch(/^FAIL +n8n refused: .*refused the API key/m);
    expect(stdout).toMatch(/^FAIL +n8n locked: .*does not accept the email and password/m);
    expect(stdout).toMatch(/^FAIL +n8n away: .*cannot be reached/m);
    expect(stdout).not.toContain('n8n own');
    expect(stdout).not.toContain(apiKey);
  },
  N8N_START_MS,
);
