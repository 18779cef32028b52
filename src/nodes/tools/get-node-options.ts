import { z } from 'zod';
import { cursorFor, placeIn } from '../../kernel/cursor.ts';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import { hasScope, type Principal } from '../../kernel/principal.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import type { Placed } from '../details/walk.ts';
import type { OptionPage, OptionSource, OptionValue } from '../options/option-values.ts';
import { instanceInput, name, nodesTool, thing } from '../tool.ts';

const NAME = 'get_node_options';

export const getNodeOptions = nodesTool({
  name: NAME,
  title: 'Get node options',
  description:
    'Lists the real values a parameter can have. n8n looks them up with a credential: channels in Slack, sheets of a spreadsheet, models, columns, workflows and data tables of n8n. Needs a login to n8n (n8n.<name>.login); fixed choices need none.',
  effect: 'read',
  phrases:
    'which values can i choose for a parameter; real values of a dropdown; list the channels for a node; which sheets does the spreadsheet have; available models for a credential; look up the id of a channel table or project for a node; load options of a field from the service; columns of a table for a node parameter; possible choices of a parameter; what can i select here; fetch the list that the editor shows in a dropdown; names of the databases or tables my credential can see; which folders, boards or lists are in the account; get valid values from the service; ids to choose from; which ids are in my account for this field; give me the calendars, bases or boards that the node can see; what is the id of my channel; list what my account can see; which databases can i select; let n8n look up the choices; choose a model from the provider; which boards can this node choose from; tables i could select with my credential; what can be entered in this field; choices from my account; resolve a name to an id for a node; fetch dropdown entries; list projects of my account for this parameter; available columns',
  // It has n8n use a credential, so nodes:read is not enough.
  scope: 'n8n:read',
  tags: ['nodes', 'parameters'],
  guidance:
    'Set "parameters" to what the list depends on (resource, operation, the spreadsheet of a sheet). "set_as" shows how to write the value into the parameter.',
  input: z.strictObject({
    node: name.describe('n8n-nodes-base.slack, slack, EXTERNAL_ACTION.SLACK'),
    property: name.describe('The parameter, as a path: channelId, options.view, filters.conditions.keyName'),
    parameters: z.record(z.string(), z.unknown()).optional().describe('The ones already set'),
    credential: name.optional().describe('Credential id for the lookup; n8n_list_credentials shows the ids'),
    version: z.number().optional().describe('typeVersion; default: latest'),
    query: name.optional().describe('Part of the name'),
    instance: instanceInput,
    limit: z.int().min(1).max(500).optional().describe('Default: what fits 8 KB'),
    cursor: z.string().optional().describe('From the last reply'),
  }),
  output: z.looseObject({
    node: z.string(),
    version: z.number(),
    property: z.string(),
    from: z.enum(['n8n', 'node']).describe('Looked up, or fixed in the node'),
    values: z.array(thing).describe('name, value; of a field also type and required'),
    set_as: thing.optional().describe('The parameter set to the first value'),
    depends_on: z.array(z.string()).optional().describe('Parameters the list depends on'),
    note: z.string().optional(),
    warning: z.string().optional(),
    cursor: z.string().optional(),
  }),
  examples: [
    {
      title: 'Channels of a Slack workspace',
      arguments: {
        node: 'n8n-nodes-base.slack',
        property: 'channelId',
        credential: 'R2DjclaysHbqn778',
        query: 'orders',
      },
    },
    {
      title: 'Inputs of another workflow',
      arguments: {
        node: 'n8n-nodes-base.executeWorkflow',
        property: 'workflowInputs',
        parameters: { workflowId: { __rl: true, mode: 'id', value: 'tCWUMKQ1L2Y5C3sD' } },
      },
    },
  ],
  async run(input, { catalogues, options }, { signal, principal }) {
    const { node: named, property: path, parameters = {}, credential, version, query, instance, limit, cursor } = input;
    const [
      { configured },
      { nodeMeant },
      { choicesOf },
      { findProperty },
      { lookUp },
      { asSet },
      { dependsOn, optionSource },
    ] = await Promise.all([
      import('../configuration/configuration.ts'),
      import('../lookup/node-meant.ts'),
      import('../details/walk.ts'),
      import('../options/find-property.ts'),
      import('../options/look-up.ts'),
      import('../options/setting.ts'),
      import('../options/source.ts'),
    ]);
    const { node, description, version: meant, warning } = nodeMeant(catalogues.get(instance), named, version);
    const placed = findProperty(description, path, configured(description, parameters, meant));
    const { cursor: _, limit: __, ...asked } = input;
    const { next, skip } = placeIn(NAME, asked, cursor);
    const source = optionSource(placed.property);
    if (source && credential !== undefined) await assertPlace(parameters, principal);
    const looked: OptionPage = source
      ? await lookUp({ description, version: meant, parameters, placed, source, path }, options, {
          instance,
          credential,
          query,
          next,
          signal,
        })
      : {
          values: choicesOf(placed.property).map(({ name, value, description: words }) => ({
            name,
            value,
            ...(words !== undefined && { description: words }),
          })),
        };
    const fitting =
      query !== undefined && !(source?.by === 'search' && source.searchable)
        ? looked.values.filter((one) => matches(one, query))
        : looked.values;
    const depends = dependsOn(placed.property);
    const note = fitting.length === 0 ? emptyNote(placed, source, depends, query) : undefined;
    const head = {
      node: node.name,
      version: meant,
      property: placed.path,
      from: source ? ('n8n' as const) : ('node' as const),
      ...(depends.length > 0 && { depends_on: depends }),
      ...(note !== undefined && { note }),
      ...(warning !== undefined && { warning }),
    };
    const rest = fitting.slice(skip).map(brief);
    const first = rest[0];
    const value = first && (source ? asSet(placed.property, source, first.value, first.name) : first.value);
    const sample = first && { set_as: { [placed.property.name]: value } };
    const kept = rest.slice(0, limit ?? fittingItems(rest, { ...head, ...sample, cursor: 'x'.repeat(160) }));
    const place =
      kept.length < rest.length
        ? { skip: skip + kept.length, ...(next !== undefined && { next }) }
        : looked.next === undefined
          ? undefined
          : { skip: 0, next: looked.next };
    return { ...head, values: kept, ...sample, ...(place && { cursor: cursorFor(NAME, asked, place) }) };
  },
});

/** A read-only caller must not make n8n send a credential to a host of their choice. A caller who may write can do so anyway. */
async function assertPlace(parameters: Readonly<Record<string, unknown>>, principal: Principal): Promise<void> {
  const { addressIn } = await import('../options/addresses.ts');
  const address = addressIn(parameters);
  if (address === undefined) return;
  if (hasScope(principal, 'n8n:write') && !principal.readOnly && !principal.tools) return;
  throw new AppError(
    'forbidden',
    `${shown(address)} may control where n8n sends the credential. Only callers who may change workflows (n8n:write, every tool) may set it. Leave it out of "parameters", or write it as a plain value.`,
  );
}

const matches = ({ name, value }: OptionValue, query: string): boolean =>
  `${name} ${String(value)}`.toLowerCase().includes(query.trim().toLowerCase());

const LONGEST = 160;

function brief({ description, ...value }: OptionValue): OptionValue {
  if (description === undefined || description === '') return value;
  return { ...value, description: description.length > LONGEST ? `${description.slice(0, LONGEST)}…` : description };
}

function emptyNote(
  { path, property }: Placed,
  source: OptionSource | undefined,
  depends: readonly string[],
  query: string | undefined,
): string {
  if (query !== undefined) return 'No value has this in its name. Try another query, or leave it out.';
  if (depends.length > 0) return `The list is empty. It depends on ${depends.join(', ')}: set them in "parameters".`;
  if (source) return 'n8n found nothing to choose from.';
  return `${path} has no list of choices. It is a ${property.type} and takes any value.`;
}
