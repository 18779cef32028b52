import { describe, expect, it } from 'vitest';
import { applyFix } from '../../../src/validation/fixes/apply-fix.ts';
import { type Finding, purposes } from '../../../src/validation/finding.ts';
import { validateWorkflow } from '../../../src/validation/validate.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';
import { cpuTime } from '../../validation/cpu-time.ts';
import { type Random, random } from '../../validation/random.ts';
import { oddValues, randomWorkflow } from '../../validation/random-workflow.ts';

/** A runaway loop would take minutes. */
const SOON_MS = 5000;

function within<T>(limit: number, run: () => T): T {
  const { result, ms } = cpuTime(run);
  expect(ms).toBeLessThan(limit);
  return result;
}

/** What must hold for every finding, whatever the input. */
function wellFormed(findings: readonly Finding[]): void {
  for (const { rule, path, message } of findings) {
    expect(rule, message).not.toBe('internal-error');
    expect(path).toMatch(/^(\/([^~/]|~[01])*)*$/s);
    expect(message.length).toBeGreaterThan(10);
    expect(message.length).toBeLessThan(3000);
  }
}

/** Puts an odd value in a random place, removes a value, or renames a key. */
function disturb(workflow: unknown, chance: Random): void {
  let place = workflow as Record<string, unknown>;
  for (let depth = 0; depth < 12; depth++) {
    const keys = Object.keys(place);
    if (keys.length === 0) return;
    const key = chance.pick(keys);
    const next = place[key];
    if (typeof next === 'object' && next !== null && !chance.chance(0.2)) {
      place = next as Record<string, unknown>;
      continue;
    }
    const way = chance.below(4);
    if (way === 0) delete place[key];
    else if (way === 1 && !Array.isArray(place))
      place[chance.pick(['__proto__', 'constructor', 'x', `${key}s`])] = next;
    else place[key] = structuredClone(chance.pick(oddValues));
    return;
  }
}

describe.skipIf(catalogueIsMissing)('with any input', () => {
  it.each(Array.from({ length: 8 }, (_, index) => index + 1))('the validator answers: seed %i', (seed) => {
    const catalogue = testCatalogue();
    const chance = random(seed);
    for (let round = 0; round < 25; round++) {
      const workflow = randomWorkflow(catalogue, chance, 1 + chance.below(12));
      for (let count = chance.below(6); count > 0; count--) disturb(workflow, chance);
      const before = JSON.stringify(workflow);
      const purpose = chance.pick(purposes);
      const { findings } = within(SOON_MS, () => validateWorkflow(workflow, catalogue, { purpose }));
      wellFormed(findings);
      expect(JSON.stringify(workflow)).toBe(before);
      expect(validateWorkflow(before, catalogue, { purpose }).findings).toEqual(findings);
      for (const { fix, rule } of findings) {
        if (fix) expect(applyFix(workflow, fix), `${rule}: ${fix.description}`).toBeDefined();
      }
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each(oddValues.map((value) => [JSON.stringify(value).slice(0, 60), value]))('even for %s', (_, value) => {
    const whole = { nodes: value, connections: value, settings: value, pinData: value, name: value, nodeGroups: value };
    const node = { name: 'A', type: value, typeVersion: value, parameters: value, position: value, credentials: value };
    const flow = { nodes: [{ name: 'A', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} }] };
    for (const given of [
      value,
      whole,
      { nodes: [value, node, value], connections: { A: value } },
      { ...flow, connections: { A: { main: value } } },
      { ...flow, connections: { A: { main: [value] } } },
      { ...flow, connections: { A: { main: [[value]] } } },
    ]) {
      for (const purpose of purposes) {
        const { findings } = within(SOON_MS, () => validateWorkflow(given, testCatalogue(), { purpose }));
        wellFormed(findings);
        expect(findings.length).toBeGreaterThan(0);
      }
    }
  });
});
