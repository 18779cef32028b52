import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../test/validation/cpu-time.ts';
import { inLatin } from './latin.ts';

describe('a name in Latin letters', () => {
  test.each([
    ['Größe berechnen', 'Groesse_berechnen'],
    ['Übersicht', 'Uebersicht'],
    ['U\u0308bersicht', 'Uebersicht'],
    ['Café crème', 'Cafe_creme'],
    ['Smørrebrød', 'Smorrebrod'],
    ['Łódź', 'Lodz'],
    ['mañana', 'manana'],
    ['Отчёт за май', 'Otchyot_za_may'],
    ['Αναφορά', 'Anafora'],
    ['Report 🚀', 'Report'],
    ['🚀 Report', 'Report'],
    ['Ship 🚀 it!', 'Ship_it'],
    ['files.read', 'files_read'],
    ['①ﬁrst', '1first'],
  ])('%s becomes %s without loss', (name, text) => {
    expect(inLatin(name)).toEqual({ text, lost: false });
  });

  test.each([
    ['报告', ''],
    ['报告 2024', '2024'],
    ['Report 报告', 'Report'],
  ])('%s becomes %j', (name, text) => {
    expect(inLatin(name)).toEqual({ text, lost: true });
  });

  test('is always a legal name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(inLatin(name).text).toMatch(/^(?:[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?)?$/);
      }),
    );
  });

  test('takes linear time', () => {
    const { ms } = cpuTime(() => inLatin(`${'_'.repeat(200_000)}ü${'🚀'.repeat(200_000)}`));
    expect(ms).toBeLessThan(2000);
  });
});
