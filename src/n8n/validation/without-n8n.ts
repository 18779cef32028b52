import { AppError } from '../../kernel/errors.ts';
import { nearestNames } from '../../kernel/nearest-names.ts';
import { createOwnSource } from '../../kernel/own-source.ts';
import type { ToolSource } from '../../kernel/source.ts';
import type { Backups } from '../backups/backups.ts';
import type { OwnRecords } from '../generate/records.ts';
import type { Instances } from '../instances.ts';
import type { N8nDeps } from '../tool.ts';
import { validateNode } from './validate-node.ts';
import { validateWorkflow } from './validate-workflow.ts';

export interface WithoutN8n extends ToolSource {
  /** Whoever has an n8n has these tools among the others. */
  withdraw(): void;
}

const none = () => new AppError('unsupported', 'No n8n is connected. Give the "workflow" itself.');

/** Many clients read it once, and stay when n8n has come: what matters most of its guide is said here too. */
const COMING = [
  'n8n is being started: its tools are listed as soon as it runs. `gateway_status` says how far it is.',
  'Then begin with n8n_get_overview. n8n saves every change as a draft: what is live stays as it was until you publish.',
];
const NONE = ['No n8n is connected. `gateway_status` says how to connect one.'];

const isOfN8n = /^n8n[_:]/;
const LATER = 'n8n is being started, and its tools come with it: try again in a few seconds.';
const NEVER = 'It needs an n8n, and none is connected: gateway_status says how to connect one.';

const noInstances: Instances = {
  names: () => [],
  get() {
    throw none();
  },
  configure() {},
  onChange: () => () => {},
  onWrite() {},
};

/** What can be judged as it is given, for those who have no n8n connected. */
export function withoutN8n({
  catalogues,
  validation,
  isComing,
}: Pick<N8nDeps, 'catalogues' | 'validation'> & {
  /** One is being started here. */
  isComing(): boolean;
}): WithoutN8n {
  const nothing = new Proxy({} as Backups & OwnRecords, {
    get() {
      throw none();
    },
  });
  const source = createOwnSource<N8nDeps>({
    id: 'n8n',
    exposure: 'flat',
    description: 'n8n: workflows and nodes checked before they are put into one',
    guide: () => [...(isComing() ? COMING : NONE), '`n8n_validate_workflow` checks a workflow that you have as JSON.'],
    tools: [validateWorkflow, validateNode],
    deps: { instances: noInstances, backups: nothing, records: nothing, catalogues, ...(validation && { validation }) },
  });
  const listeners = new Set<() => void>();
  let withdrawn = false;
  return {
    ...source,
    entries: () => (withdrawn ? [] : source.entries()),
    absence(tool) {
      if (withdrawn || !isOfN8n.test(tool)) return undefined;
      const own = source.entries().map((entry) => entry.tool);
      return nearestNames(tool, own).length > 0 ? undefined : isComing() ? LATER : NEVER;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    withdraw() {
      if (withdrawn) return;
      withdrawn = true;
      for (const listener of listeners) listener();
    },
  };
}
