/** Helm itself, where it is installed: it accepts the chart, and renders it as our renderer does. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chartFolder, refusalOf, rendererIsMissing, type Values } from '../../support/kubernetes/helm.ts';
import { manifestsIn, type Manifest } from '../../support/kubernetes/manifest.ts';
import { shape, shapes } from '../../support/kubernetes/shapes.ts';

// Debian has no Helm, so it is not asked for, even where everything else must run.
const helmIsMissing = rendererIsMissing ?? (spawnSync('helm', ['version']).error ? 'helm is not installed' : undefined);

function helm(values: Values, command: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-helm-'));
  try {
    const file = join(folder, 'values.json');
    writeFileSync(file, JSON.stringify(values));
    return execFileSync('helm', [...command, '--values', file, '--namespace', 'prod'], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const sorted = (manifests: readonly Manifest[]) =>
  manifests.toSorted((a, b) => `${a.kind} ${a.metadata.name}`.localeCompare(`${b.kind} ${b.metadata.name}`));

describe.skipIf(helmIsMissing)('Helm itself', () => {
  test.each(Object.entries(shapes))('renders %s as the tests do', (name, { values }) => {
    helm(values, ['lint', '--strict', chartFolder]);
    const rendered = manifestsIn(helm(values, ['template', 'demo', chartFolder]));
    expect(sorted(rendered)).toEqual(sorted(shape(name).manifests));
  });

  test('refuses with the same words', () => {
    const values = { replicas: 2 };
    const reason = refusalOf(values).split('\n\n')[1] ?? 'no reason';
    expect(reason).toContain('SQLite');
    expect(() => helm(values, ['template', 'demo', chartFolder])).toThrow(reason);
  });
});
