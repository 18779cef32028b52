import { writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPlace } from '../../support/command-line.ts';
import { createDatabase, postgresIsMissing } from '../../support/postgres.ts';

describe.skipIf(postgresIsMissing)('commands', () => {
  it('work on the store of the configuration, whatever else is wrong with the file', async () => {
    await using database = await createDatabase();
    await using place = await createPlace();
    const file = join(place.user, 'elsewhere.yaml');
    await writeFile(
      file,
      `store: "postgres://postgres:\${STORE_PASSWORD}@127.0.0.1:${database.port}/${database.database}"\n` +
        'mcpServers: { a: { url: "https://a.example/mcp", headers: { Authorization: "${NOT_SET}" } } }\nnonsense: true\n',
    );
    await writeFile(join(place.user, '.env'), `STORE_PASSWORD=${database.password}\n`);
    const run = (...args: string[]) => place.run([...args, '--config', file]);

    expect((await run('keys', 'create', '--name', 'claude')).code).toBe(0);
    expect(JSON.parse((await run('keys', 'list', '--json')).stdout)).toMatchObject([{ name: 'claude' }]);
    expect((await run('keys', 'revoke', 'claude')).stderr).toContain('Revoked the key claude');
    expect((await run('webhooks', 'list')).code).toBe(0);
    expect((await run('owner', 'reset')).stdout).toMatch(/^\w{5}-/);
    expect(existsSync(join(place.home, 'sluice.db'))).toBe(false);

    expect(JSON.parse((await place.run(['keys', 'list', '--json'])).stdout)).toEqual([]);
    await writeFile(join(place.user, '.env'), '');
    const unset = await run('keys', 'list');
    expect(unset.code).toBe(1);
    expect(unset.stderr).toContain('STORE_PASSWORD is not set');
    expect(unset.stderr).not.toContain('NOT_SET');
  });
});
