import { expect, test } from 'vitest';
import { arkName, isServerName, nameProblems } from './names.ts';

test.each([
  ['support_agent__Calculator', 'sluice-support-agent--calculator'],
  ['run_monthly_report', 'sluice-run-monthly-report'],
  ['ref__echo-x', 'sluice-ref--echo-x'],
])('%s becomes %s', (tool, expected) => {
  expect(arkName('sluice', tool)).toBe(expected);
});

test('every name that Sluice itself gives is fine', () => {
  const tools = ['support_agent__Calculator', 'a', 'run_groessenuebersicht', `x${'_y'.repeat(22)}`];
  expect(nameProblems('sluice', tools)).toEqual([]);
});

test.each([
  [['a b'], /a b: Kubernetes does not take the name sluice-a b/],
  [['ends_'], /Kubernetes does not take the name sluice-ends-/],
  [['größe'], /Kubernetes does not take/],
  [['x'.repeat(250)], /Kubernetes does not take/],
  [['a_b', 'ok', 'A-b'], /a_b and A-b: ARK calls them all sluice-a-b and keeps only one/],
  [['repos.get'], /models do not take the name sluice-repos\.get/],
  [['y'.repeat(60)], /longer than 64 characters, and .* has 67\. Choose a shorter --name/],
])('%j: %s', (tools, problem) => {
  expect(nameProblems('sluice', tools)).toEqual([expect.stringMatching(problem)]);
});

test.each([
  ['sluice', true],
  ['a', true],
  ['9-x', true],
  ['x'.repeat(63), true],
  ['x'.repeat(64), false],
  ['Sluice', false],
  ['a.b', false],
  ['-a', false],
  ['a-', false],
  ['', false],
])('%j can be the name of an MCPServer: %s', (name, expected) => {
  expect(isServerName(name)).toBe(expected);
});
