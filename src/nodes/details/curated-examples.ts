import { own } from '../../kernel/own.ts';
import type { CuratedExample, CuratedSpec } from '../curated/spec.ts';
import type { Fragment } from '../fragments/fragment.ts';

type Values = Record<string, unknown>;

/** Curated examples as n8n parameters: the fragment's parameters with the values of each example. */
export function examplesInN8n({ configurations, examples }: CuratedSpec, { nodes }: Fragment): Values[] {
  return examples.map(({ configurations: set, ...example }: CuratedExample) => {
    const parameters = new Map(nodes.map((node) => [node.name, structuredClone(node.parameters) as Values]));
    const touched = new Set<string>();
    for (const [key, value] of Object.entries(set)) {
      const [node = '', path = ''] = configurations[key]?.at?.split(': ') ?? [];
      const values = parameters.get(node);
      if (!values) continue;
      put(values, path, value);
      touched.add(node);
    }
    const [only = nodes[0]?.name ?? ''] = touched;
    const { name, description, ...data } = example;
    return {
      name,
      description,
      ...(touched.size > 1
        ? { parameters_of: Object.fromEntries([...touched].map((node) => [node, parameters.get(node)])) }
        : { parameters: parameters.get(only) }),
      ...data,
    };
  });
}

/** Sets the value at a path like `options.timeout` or `rule.interval[0].expression`, creating what is missing on the way. */
function put(root: Values, path: string, value: unknown): void {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
  let place = root;
  for (const [at, step] of steps.slice(0, -1).entries()) {
    const known = own(place, step);
    const next = typeof known === 'object' && known !== null ? known : /^\d+$/.test(steps[at + 1] ?? '') ? [] : {};
    Object.assign(place, { [step]: next });
    place = next as Values;
  }
  Object.assign(place, { [steps.at(-1) ?? '']: value });
}
