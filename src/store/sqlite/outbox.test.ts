import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { outboxContract } from '../outbox.contract.ts';
import { openSqlite } from './open.ts';

const root = mkdtempSync(join(tmpdir(), 'sluice-outbox-'));
let places = 0;
afterAll(() => rmSync(root, { recursive: true, force: true }));

outboxContract('sqlite in a file', () => openSqlite(join(root, `${++places}.db`)));
outboxContract('sqlite in memory', () => openSqlite(':memory:'));
