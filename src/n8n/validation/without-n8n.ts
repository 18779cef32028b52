import { AppError } from '../../kernel/errors.ts';
import { distanceOf, fold } from '../../kernel/nearest-names.ts';
import { createOwnSource } from '../../kernel/own-source.ts';
import type { ToolSource } from '../../kernel/source.ts';
import type { Backups } from '../backups/backups.ts';
import type { OwnRecords } from '../generate/records.ts';
import type { PromotionRecords } from '../promotion/records.ts';
import type { Instances } from '../instances.ts';
import { libraryTools } from '../templates/library-tools.ts';
import type { N8nDeps } from '../tool.ts';
import { validateNode } from './validate-node.ts';
import { validateWorkflow } from './validate-workflow.ts';

export interface WithoutN8n extends ToolSource {
  /** Removes these tools: once an n8n is connected, its source has them, too. */
  withdraw(): void;
}

const none = () => new AppError('unsupported', 'No n8n is connected. Pass the "workflow" itself.');

/** Many clients read the instructions only once, before n8n is up, so this repeats the most important part of its guide. */
const COMING = [
  'n8n is starting: its tools are listed as soon as it runs. `gateway_status` shows its progress.',
  'Then begin with n8n_get_overview. n8n saves every change as a draft: the live version stays as it was until you publish.',
];
const NONE = ['No n8n is connected. `gateway_status` says how to connect one.'];

const TYPO = 2;
const isOfN8n = /^n8n[_:]/;
const LATER = 'n8n is starting, and its tools come with it: try again in a few seconds.';
const NEVER = 'It needs an n8n, but none is connected: gateway_status says how to connect one.';

const noInstances: Instances = {
  names: () => [],
  get() {
    throw none();
  },
  configure() {},
  onChange: () => () => {},
  onWrite() {},
};

/** The tools that work without an n8n: they check JSON that you pass, and read template libraries. */
export function withoutN8n({
  catalogues,
  templates,
  validation,
  isComing,
}: Pick<N8nDeps, 'catalogues' | 'templates' | 'validation'> & {
  /** Whether the local n8n is starting. */
  isComing(): boolean;
}): WithoutN8n {
  const nothing = new Proxy({} as Backups & OwnRecords & PromotionRecords, {
    get() {
      throw none();
    },
  });
  const source = createOwnSource<N8nDeps>({
    id: 'n8n',
    exposure: 'flat',
    description: 'n8n: check workflows and nodes as JSON, find templates',
    guide: () => [
      ...(isComing() ? COMING : NONE),
      '`n8n_validate_workflow` checks a workflow that you have as JSON; `n8n_search_templates` finds ready-made ones.',
    ],
    tools: [validateWorkflow, validateNode, ...libraryTools],
    deps: {
      instances: noInstances,
      backups: nothing,
      records: nothing,
      promotions: nothing,
      catalogues,
      templates,
      ...(validation && { validation }),
    },
  });
  const listeners = new Set<() => void>();
  let withdrawn = false;
  return {
    ...source,
    entries: () => (withdrawn ? [] : source.entries()),
    absence(tool) {
      if (withdrawn || !isOfN8n.test(tool)) return undefined;
      // Only a typo means one of these: `n8n_import_template` is a tool of its own.
      const isTypo = source.entries().some((entry) => distanceOf(fold(tool), fold(entry.tool), TYPO) <= TYPO);
      return isTypo ? undefined : isComing() ? LATER : NEVER;
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
