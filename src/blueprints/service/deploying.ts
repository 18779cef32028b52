import { createHmac, randomBytes } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Json } from '../../kernel/source.ts';
import { type Trace, traceparent } from '../../kernel/trace.ts';
import type { Evaluator } from '../expressions/evaluator.ts';
import type { BlueprintEvents } from '../facts.ts';
import type { Journal } from '../runs/journal.ts';
import type { RunHead } from '../runs/run.ts';
import { refuseManySecrets } from '../runs/secrets.ts';
import { MOST_KEPT_BYTES } from '../runs/usage-rows.ts';
import type { confirmedTexts } from './confirmed-texts.ts';
import type { Definitions, Ready } from './definitions.ts';
import { stepsOf, type Tools } from './steps-of.ts';
import { sorted } from '../../kernel/confirmation.ts';

export interface DeployDeps extends Tools {
  readonly journal: Journal;
  readonly definitions: Definitions;
  readonly events: BlueprintEvents;
  evaluator(): Promise<Evaluator>;
  services(): readonly string[];
  start(run: string, part: number): Promise<void>;
  changed(run: string): void;
  readonly confirmed: ReturnType<typeof confirmedTexts>;
  /** Tells deploys with the same id apart from those with other inputs. */
  readonly secret: Buffer;
}

export interface Deployment {
  readonly name: string;
  readonly inputs: Json;
  readonly runId?: string | undefined;
  readonly principal: Principal;
  readonly trace: Trace;
  readonly schedule?: string;
  /** Of the definition that somebody confirmed. */
  readonly hash?: string | undefined;
}

/** What is deployed, after everything was checked that can be checked before. */
export interface Prepared extends Ready {
  readonly inputs: Json;
  /** Tools that are not there now. */
  readonly unconfirmed: readonly string[];
}

export async function prepare(
  { name, inputs, principal, hash }: Pick<Deployment, 'name' | 'inputs' | 'principal' | 'hash'>,
  deps: Pick<DeployDeps, 'definitions' | 'evaluator' | 'tool' | 'reachable' | 'isReadOnly' | 'services'>,
): Promise<Prepared> {
  const ready = await deps.definitions.ready(name);
  if (hash !== undefined && ready.hash !== hash)
    throw new AppError(
      'conflict',
      `${name} was changed since it was confirmed. Nothing was done. Plan it again, then confirm the new version.`,
    );
  const { definition, nested } = ready;
  const missing = definition.needs.filter((service) => !deps.services().includes(service));
  if (missing.length > 0)
    throw new AppError(
      'unavailable',
      `${name} needs ${missing.join(', ')}, which ${missing.length === 1 ? 'has' : 'have'} no tools now. \`sluice modules\` and gateway_status say what is missing.`,
    );
  const checked = await (await deps.evaluator()).checkInputs(definition.inputs, inputs);
  refuseManySecrets(definition, checked);
  const steps = stepsOf(definition, nested, principal, deps);
  const refused = steps.find((step) => step.refused !== undefined);
  if (refused)
    throw new AppError('forbidden', `You may not deploy ${name}. The step ${refused.path}: ${refused.refused}`);
  return { ...ready, inputs: checked, unconfirmed: [...new Set(steps.flatMap(({ absent = [] }) => absent))] };
}

/** Starts a run; the run that was started before, if the caller gave it the same id. */
export async function deploy(given: Deployment, deps: DeployDeps): Promise<RunHead> {
  const { principal, runId, name } = given;
  if (principal.id === 'internal')
    throw new AppError(
      'forbidden',
      'The internal listener cannot deploy: a run needs somebody whose rights count. Use a key.',
    );
  const fingerprint = createHmac('sha256', deps.secret)
    .update(JSON.stringify([name, sorted(given.inputs)]))
    .digest('base64url');
  let id = `${name}-${randomBytes(5).toString('hex')}`;
  if (runId !== undefined) {
    const before = await deps.journal.runOf(principal.id, runId);
    if (before !== undefined) {
      const claimed = await deps.journal.claimId(principal.id, runId, before, fingerprint);
      if (claimed.fingerprint !== fingerprint) throw otherInputs(runId);
      if (claimed.ended_as !== null)
        throw new AppError(
          'conflict',
          `Your run ${runId} (${before}) ended as ${claimed.ended_as} and is not kept any more. To deploy again, choose another run_id.`,
        );
      const head = await deps.journal.head(before);
      if (head) return head;
      id = before;
    }
  }
  const prepared = await prepare(given, deps);
  if (runId !== undefined) {
    const claimed = await deps.journal.claimId(principal.id, runId, id, fingerprint);
    if (claimed.fingerprint !== fingerprint) throw otherInputs(runId);
    id = claimed.run;
  }
  const tooMany = (await deps.journal.tooManyOpen(principal.id)) ?? (await deps.journal.tooMuchOpen(principal.id));
  if (tooMany !== undefined) throw new AppError('conflict', tooMany);
  await deps.journal.makeRoom(principal.id, MOST_KEPT_BYTES);
  const { known, definition, nested, hash, inputs, unconfirmed } = prepared;
  if (given.hash !== undefined) await deps.confirmed.remember(prepared, principal);
  await deps.journal.create({
    id,
    name,
    kind: known.kind,
    origin: known.origin,
    hash,
    definition,
    nested,
    inputs,
    unconfirmed,
    as: principal,
    deployer: principal.id,
    ...(given.schedule !== undefined && { schedule: given.schedule }),
    trace: traceparent(given.trace),
  });
  deps.events.record(
    {
      type: 'blueprint.run_deployed',
      run: id,
      blueprint: name,
      principal: principal.id,
      ...(given.schedule !== undefined && { schedule: given.schedule }),
    },
    { traceId: given.trace.traceId },
  );
  await deps.start(id, 1);
  deps.changed(id);
  return (await deps.journal.head(id)) as RunHead;
}

const otherInputs = (runId: string) =>
  new AppError(
    'conflict',
    `You used the run_id ${runId} before, for another blueprint or other inputs. Choose another one.`,
  );
