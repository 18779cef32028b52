import { describe, expect, it } from 'vitest';
import { fitted, importReport, type ImportReport } from './report.ts';

const many = <T>(one: (index: number) => T): T[] => Array.from({ length: 500 }, (_, index) => one(index));

describe('the report of an import', () => {
  it('fits into a reply, the most important first, and says what is missing', () => {
    const report: ImportReport = {
      workflow: { id: 'w1', name: 'x'.repeat(128), active: false, nodes: 5000 },
      backup: 'default/w1/20261115T073012123Z-asked-3f9a1c',
      missing_nodes: many((index) => ({ type: `n8n-nodes-x.${'y'.repeat(80)}${index}`, nodes: ['"\\\n'.repeat(60)] })),
      to_fill: many((index) => ({ what: 'credential', node: `Node ${index}`, type: 'slackApi', how: 'Choose one' })),
      credentials: many((index) => ({
        node: `N${index}`,
        type: 't',
        used: { id: 'c', name: 'C' },
        why: 'you named it',
      })),
      dropped: many((index) => `something ${index}`),
      note: 'n'.repeat(100_000),
    };
    const shown = importReport.parse(fitted(report));
    const text = JSON.stringify(shown);
    expect(text.length + JSON.stringify(text).length).toBeLessThan(8192);
    expect(shown.note).toMatch(/Not shown: 49\d of 500 missing_nodes, .* of 500 dropped\.$/);
    expect(shown.missing_nodes?.length).toBeGreaterThan(0);
  });

  it('stays as it is if it fits', () => {
    const report: ImportReport = {
      workflow: { id: 'w1', name: 'Orders', active: false, nodes: 2 },
      backup: 'b',
      also: [{ id: 'w2', name: 'Inner', backup: 'c' }],
      dropped: ['settings.x'],
      note: 'Publish them first.',
    };
    expect(fitted(report)).toEqual(report);
  });
});
