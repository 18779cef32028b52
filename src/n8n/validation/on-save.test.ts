import { describe, expect, it } from 'vitest';
import { tinyCatalogue } from '../../../test/validation/tiny-catalogue.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Catalogue } from '../../nodes/catalogue.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import type { N8nDeps } from '../tool.ts';
import { type GuardOptions, saveGuard } from './on-save.ts';
import type { ValidationSettings } from './settings.ts';

const client = { name: 'default', presence: { isUp: () => true } } as N8nClient;
const { signal } = new AbortController();

function guard(given: Catalogue | AppError, options: GuardOptions = {}, settings?: ValidationSettings) {
  const ready = () => (given instanceof AppError ? Promise.reject(given) : Promise.resolve(given));
  const deps = { catalogues: { ready }, ...(settings && { validation: () => settings }) } as unknown as N8nDeps;
  return saveGuard(client, deps, signal, options);
}

const ready = tinyCatalogue();

function workflow(...types: string[]): Workflow {
  const nodes = types.map((type, index) => ({
    id: `${index}`,
    name: `N${index}`,
    type,
    typeVersion: 1,
    position: [0, 0] as [number, number],
    parameters: {},
  }));
  return { id: 'w', name: 'W', nodes, connections: {}, settings: {}, active: false, isArchived: false };
}

describe('validation on save', () => {
  const missing = new AppError(
    'unavailable',
    'The catalogue could not be built: no network. It is tried again in 30 s.',
  );

  it('refuses a workflow that it cannot validate, unless the call allows it', async () => {
    const refused = guard(missing, { what: 'nothing was published' }).check(workflow('tiny.nonsense'));
    await expect(refused).rejects.toThrow(/nothing was published\. .*no network.* "validate": "warn"/);
    const mild = guard(missing, { mode: 'warn' });
    await mild.check(workflow('tiny.nonsense'));
    const note = expect.stringContaining('Not validated: The catalogue could not be built: no network') as string;
    expect(mild.told().validation).toMatchObject({ errors: 0, findings: [], note });
    const blind = guard(missing, { mode: 'off' });
    await blind.check(workflow('tiny.nonsense'));
    expect(blind.told()).toEqual({});
  });

  it('refuses, reports or ignores errors, depending on the mode', async () => {
    const bad = { ...workflow('tiny.trigger'), connections: { N0: { main: [[target('Nobody')]] } } };
    await expect(guard(ready).check(bad)).rejects.toThrow(AppError);
    const mild = guard(ready, { mode: 'warn' });
    await mild.check(bad);
    expect(mild.told().validation?.errors).toBe(1);
    const blind = guard(ready, { mode: 'off' });
    await blind.check(bad);
    expect(blind.told()).toEqual({});
  });

  it('uses the mode from the configuration if the call has none', async () => {
    const bad = { ...workflow('tiny.trigger'), connections: { N0: { main: [[target('Nobody')]] } } };
    await guard(ready, {}, { onSave: 'warn', rules: {} }).check(bad);
    await guard(ready, {}, { onSave: 'strict', rules: { connections: 'off' } }).check(bad);
    await expect(guard(ready, { mode: 'strict' }, { onSave: 'off', rules: {} }).check(bad)).rejects.toThrow(/Nobody/);
  });

  it('does not refuse because of old errors', async () => {
    const bad = { ...workflow('tiny.trigger'), connections: { N0: { main: [[target('Nobody')]] } } };
    const door = guard(ready);
    await door.check({ ...bad, name: 'Another name' }, bad);
    expect(door.told().validation).toMatchObject({ errors: 1 });
    const worse = { ...bad, connections: { ...bad.connections, Ghost: { main: [[target('N0')]] } } };
    await expect(door.check(worse, bad)).rejects.toThrow(/Ghost/);
  });
});

const target = (node: string) => ({ node, type: 'main', index: 0 });
