import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyPatch } from '../../../src/validation/fixes/apply-fix.ts';
import { type Finding, purposes } from '../../../src/validation/finding.ts';
import { rules } from '../../../src/validation/rules/index.ts';
import { validateWorkflow } from '../../../src/validation/validate.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing, startN8n } from '../../support/n8n.ts';
import { corpus } from '../../validation/corpus.ts';
import { type Given, type SafeFixRow, safeFixes, unsafeFixes } from '../../validation/safe-fixes.ts';
import { ask, creations } from '../../support/n8n-answers.ts';
import { type Outcome, outcomes } from './n8n-outcomes.ts';

/** The findings of the rule that have a fix, for the first purpose with any. */
function fixable({ rule, workflow, world }: SafeFixRow, given: Given): readonly Finding[] {
  return (
    purposes
      .map((purpose) =>
        validateWorkflow(workflow(given), testCatalogue(), { purpose, ...(world && { world: world(given) }) }),
      )
      .map(({ findings }) => findings.filter((finding) => finding.rule === rule && finding.fix))
      .find((findings) => findings.length > 0) ?? []
  );
}

function mended(row: SafeFixRow, given: Given): unknown {
  const copy = structuredClone(row.workflow(given));
  for (const { fix } of fixable(row, given)) expect(applyPatch(copy, fix?.patch ?? [])).toBe(true);
  return copy;
}

/** The kind of fix: its description without names and numbers. */
const kindOf = ({ rule, fix }: Finding) =>
  `${rule}: ${fix?.description.replace(/"[^"]*"|\b\d[\d.]*|\b(?:id) \S+/g, '…')}`;

const nowhere: Given = { service: 'http://127.0.0.1:1', credential: { id: 'x1', name: 'Safe fixes' } };

describe.skipIf(catalogueIsMissing)('rules that offer safe fixes', () => {
  it('have rows, and other rules have none', () => {
    const declared = rules.filter(({ fixesSafely }) => fixesSafely).map(({ id }) => id);
    expect([...new Set(safeFixes.map(({ rule }) => rule))].sort()).toEqual(declared.sort());
  });

  it('offer a safe fix in each of their rows', () => {
    for (const row of safeFixes) {
      const safe = fixable(row, nowhere).map(({ fix }) => fix?.safe);
      expect([row.rule, row.what, safe]).toEqual([row.rule, row.what, safe.map(() => true)]);
      expect([row.rule, row.what, safe.length > 0]).toEqual([row.rule, row.what, true]);
    }
  });

  it('have a row for each kind of safe fix in the corpus', async () => {
    const tried = new Set(safeFixes.flatMap((row) => fixable(row, nowhere)).map(kindOf));
    const offered = (await corpus())
      .flatMap(({ cases }) => cases)
      .flatMap(
        ({ workflow, world, purpose }) => validateWorkflow(workflow, testCatalogue(), { purpose, world }).findings,
      )
      .filter(({ fix }) => fix?.safe);
    expect(offered.length).toBeGreaterThan(30);
    expect([...new Set(offered.map(kindOf))].filter((kind) => !tried.has(kind))).toEqual([]);
  });

  it('say what changes with an unsafe fix', () => {
    for (const row of unsafeFixes) {
      const fixes = fixable(row, nowhere).map(({ fix }) => fix);
      expect([row.rule, row.what, fixes]).toEqual([
        row.rule,
        row.what,
        [expect.objectContaining({ safe: false, changes: expect.stringMatching(/\w.*\.$/) })],
      ]);
    }
  });
});

describe.skipIf(n8nIsMissing)('on the real n8n', () => {
  /** The times of the requests for each path. */
  const asked = new Map<string, number[]>();
  const service = createServer(({ url = '', headers }, reply) => {
    asked.set(url, [...(asked.get(url) ?? []), performance.now()]);
    reply.writeHead(url.endsWith('/ok') ? 200 : 500, { 'content-type': 'application/json' });
    reply.end(JSON.stringify({ key: headers['x-key'] ?? null }));
  });
  const compared = new Map<SafeFixRow, { before: unknown; after: unknown; created: unknown }>();
  let clean: (() => Promise<unknown>) | undefined;

  beforeAll(async () => {
    const n8n = await startN8n();
    await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening));
    const base = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const name = 'Safe fixes';
    const { body: credential } = await ask(n8n, 'POST', '/credentials', {
      name,
      type: 'httpCustomAuth',
      data: { json: '{"headers":{"x-key":"sesame"}}' },
    });
    clean = () => ask(n8n, 'DELETE', `/credentials/${credential.id}`);
    const rows = [...safeFixes, ...unsafeFixes];
    const givenTo = (index: number, when: string): Given => ({
      service: `${base}/${index}-${when}`,
      credential: { id: credential.id ?? '', name },
    });
    const before = rows.map((row, index) => row.workflow(givenTo(index, 'before')));
    const after = rows.map((row, index) => mended(row, givenTo(index, 'after')));
    const created = await creations(n8n, after.slice(0, safeFixes.length));
    // Run workflows that n8n does not save as sub-workflows: an old database or a calling node may contain them.
    const savable = await outcomes(
      n8n,
      before.map((workflow, index) => ({ workflow, asSubWorkflow: rows[index]?.asSubWorkflow === true })),
    );
    const isUnsaved = (index: number) => {
      const outcome = savable[index];
      return typeof outcome === 'string' && outcome.startsWith('not saved');
    };
    const asSub = rows.map((row, index) => row.asSubWorkflow === true || isUnsaved(index));
    const unsaved = [...rows.keys()].filter(isUnsaved);
    const [called, afters] = await Promise.all([
      outcomes(
        n8n,
        unsaved.map((index) => ({ workflow: before[index], asSubWorkflow: true })),
      ),
      outcomes(
        n8n,
        after.map((workflow, index) => ({ workflow, asSubWorkflow: asSub[index] === true })),
      ),
    ]);
    const seen = (outcome: Outcome | string | undefined, index: number, when: string) => ({
      outcome,
      tries: triesAt(new URL(givenTo(index, when).service).pathname),
    });
    for (const [index, row] of rows.entries()) {
      const first = unsaved.includes(index) ? called[unsaved.indexOf(index)] : savable[index];
      compared.set(row, {
        before: seen(first, index, 'before'),
        after: seen(afters[index], index, 'after'),
        created: created[index],
      });
    }
  }, N8N_START_MS + 120_000);

  afterAll(async () => {
    await clean?.();
    service.close();
  });

  /** One entry per request: whether n8n waited more than half a minute before it. */
  const triesAt = (path: string) => {
    const times = [...asked].flatMap(([url, at]) => (url.startsWith(path) ? at : []));
    return times.map((time, index) => index > 0 && time - (times[index - 1] ?? time) > 30_000);
  };

  it.each(safeFixes)('$rule, $what: n8n does the same after the fix', (row) => {
    const { before, after, created } = compared.get(row) ?? {};
    expect(before).toHaveProperty('outcome.nodes');
    expect(after).toEqual(before);
    expect(created).toEqual({ status: 200, message: undefined });
  });

  it.each(unsafeFixes)('$rule, $what: n8n does something else after the fix', (row) => {
    const { before, after } = compared.get(row) ?? {};
    expect(after).toHaveProperty('outcome.nodes');
    expect(after).not.toEqual(before);
  });
});
