import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type {
  OptionPage,
  OptionRequest,
  OptionSource,
  OptionValue,
  OptionValues,
} from '../../nodes/options/option-values.ts';
import type { N8nClient } from '../client/client.ts';
import { scanWorkflows } from '../find/scan.ts';
import type { Instances } from '../instances.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]);

// The parts of n8n's answers that we rely on. A value without a name is shown as itself.
const optionsShape = z.array(
  z.looseObject({ name: z.coerce.string().optional(), value: z.unknown(), description: z.string().nullish() }),
);
const foundShape = z.looseObject({
  results: z.array(
    z.looseObject({ name: z.coerce.string().optional(), value: z.unknown(), description: z.string().nullish() }),
  ),
  paginationToken: z.coerce.string().nullish(),
});
const fieldsShape = z.looseObject({
  fields: z
    .array(
      z.looseObject({
        id: z.string(),
        displayName: z.string().nullish(),
        type: z.string().nullish(),
        required: z.boolean().nullish(),
      }),
    )
    .nullish(),
});
const credentialShape = z.looseObject({ id: z.string(), name: z.string(), type: z.string() });

/** Asks n8n the way its editor does. Only n8n has the credentials, and it answers only signed-in users. */
export function createOptionValues(instances: Instances): OptionValues {
  return {
    isConnected: () => instances.names().length > 0,
    async credential(instance, id, signal) {
      const client = signedIn(instances.get(instance));
      try {
        const { name, type } = credentialShape.parse(
          await client.session.ask('GET', `/credentials/${encodeURIComponent(id)}`, { signal }),
        );
        return { id, name, type };
      } catch (error) {
        if (!(error instanceof AppError) || (error.code !== 'not_found' && error.code !== 'forbidden')) throw error;
        throw new AppError(
          'not_found',
          `The user in n8n.${client.name}.login has no credential ${id.slice(0, 60)}. n8n_list_credentials shows the ids.`,
          { cause: error },
        );
      }
    },
    async read(instance, request, signal) {
      const client = instances.get(instance);
      if (request.source.by === 'workflows') return { values: await workflowsOf(client, signal) };
      return readOptions(signedIn(client), request.source, request, signal);
    },
  };
}

function signedIn(client: N8nClient): N8nClient {
  if (client.session.possible) return client;
  throw new AppError(
    'unsupported',
    `Real values need a login to n8n, because its public API does not offer them. Set n8n.${client.name}.login: { email, password } in the configuration; this does not work with SSO or two-factor login. Without a login, set the parameter by id or name: get_node_property shows its modes, and the id is part of the URL in the service itself.`,
  );
}

type Looked = Exclude<OptionSource, { by: 'workflows' }>;

async function readOptions(
  client: N8nClient,
  source: Looked,
  request: OptionRequest,
  signal: AbortSignal,
): Promise<OptionPage> {
  const { node, version, path, parameters, credential, query, page } = request;
  const { id, name, type } = credential ?? {};
  const projectId = await personalProject(client, signal);
  const common = {
    path: `parameters.${path}`,
    nodeTypeAndVersion: { name: node, version },
    currentNodeParameters: parameters,
    ...(type !== undefined && { credentials: { [type]: { id, name } } }),
    ...(projectId !== undefined && { projectId }),
  };
  const ask = (kind: string, more: object) =>
    client.session
      .ask('POST', `/dynamic-node-parameters/${kind}`, { body: { ...common, ...more }, signal })
      .catch(refused);
  switch (source.by) {
    case 'method':
      return { values: optionsShape.parse(await ask('options', { methodName: source.method })).map(valueOf) };
    case 'request':
      return { values: optionsShape.parse(await ask('options', { loadOptions: {} })).map(valueOf) };
    case 'search': {
      const more = {
        methodName: source.method,
        ...(query !== undefined && source.searchable && { filter: query }),
        ...(page !== undefined && { paginationToken: page }),
      };
      const { results, paginationToken } = foundShape.parse(await ask('resource-locator-results', more));
      return { values: results.map(valueOf), ...(paginationToken && { next: paginationToken }) };
    }
    case 'fields': {
      const kind = source.local ? 'local-resource-mapper-fields' : 'resource-mapper-fields';
      const { fields } = fieldsShape.parse(await ask(kind, { methodName: source.method }));
      return {
        values: (fields ?? []).map(({ id: value, displayName, type: kindOf, required }) => ({
          name: displayName ?? value,
          value,
          ...(kindOf && { type: kindOf }),
          ...(required && { required }),
        })),
      };
    }
  }
}

/** n8n passes on the service's error as it is: add what to check. */
function refused(error: unknown): never {
  if (!(error instanceof AppError) || error.data?.status === undefined) throw error;
  const { status } = error.data;
  const code = status === 500 ? 'unavailable' : error.code;
  const advice =
    'Check that the credential works (n8n_test_credential) and that you passed the parameters the list depends on.';
  throw new AppError(code, `${error.message.replace(/[.\s]+$/, '')}. ${advice}`, { cause: error, data: error.data });
}

type Raw = z.output<typeof optionsShape>[number];

function valueOf({ name, value, description }: Raw): OptionValue {
  const plain = scalar.safeParse(value);
  const kept = plain.success ? plain.data : JSON.stringify(value ?? name ?? '');
  return { name: name ?? String(kept), value: kept, ...(description && { description }) };
}

/** The public API lists workflows, so this needs no login. */
async function workflowsOf(client: N8nClient, signal: AbortSignal): Promise<OptionValue[]> {
  const workflows = await scanWorkflows(client, signal);
  return workflows
    .filter(({ isArchived }) => !isArchived)
    .map(({ id, name, active }) => ({ name, value: id, ...(!active && { description: 'not published' }) }));
}

const projects = new WeakMap<N8nClient, string>();

/** Data tables belong to a project: use the user's personal one. Not every n8n has projects. */
async function personalProject(client: N8nClient, signal: AbortSignal): Promise<string | undefined> {
  const known = projects.get(client);
  if (known !== undefined) return known;
  const { status, body } = await client.session.send('GET', '/projects/personal', { signal });
  const id = (Object((Object(body) as { data?: unknown }).data) as { id?: unknown }).id;
  if (status !== 200 || typeof id !== 'string') return undefined;
  projects.set(client, id);
  return id;
}
