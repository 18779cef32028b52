import { AppError } from '../../../kernel/errors.ts';
import { oneOf, shown } from '../../../kernel/nearest-names.ts';
import type { Catalogue } from '../../../nodes/catalogue.ts';
import type { ReportLists } from './report.ts';

const MOST_LINES = 12;

/** Why a template cannot be imported: nodes or versions that this n8n does not have. Undefined if it can. */
export function refusalOf(
  { missing_nodes: missing = [], unknown_versions: versions = [] }: ReportLists,
  { origin }: Catalogue,
): AppError | undefined {
  const lines = [
    ...missing.map(({ type, nodes, package: name, similar = [] }) => {
      const install =
        name === undefined ? '' : ` Install the community package ${name}${similar.length > 0 ? ', or use' : '.'}`;
      const use = similar.length === 0 ? '' : `${name === undefined ? ' Similar:' : ''} ${oneOf(similar.slice(0, 3))}.`;
      return `- ${type} ("${shown(nodes[0] ?? '', 60)}"${nodes.length > 1 ? ' and others' : ''}) is not in this n8n.${install}${use}`;
    }),
    ...versions.map(
      ({ node, type, version, newest }) =>
        `- "${shown(node, 60)}" is version ${version} of ${type}; ${version > newest ? `this n8n goes up to ${newest}. Update n8n.` : `this n8n does not have it, and the node does not fit the next one.`}`,
    ),
  ];
  if (lines.length === 0) return undefined;
  const more = lines.length > MOST_LINES ? [`… and ${lines.length - MOST_LINES} more.`] : [];
  const isUnsure = origin.from === 'packages' && missing.some((one) => one.package !== undefined);
  return new AppError(
    'unsupported',
    [
      'This n8n lacks nodes that the template needs; nothing was imported.',
      ...lines.slice(0, MOST_LINES),
      ...more,
      ...(isUnsure
        ? ["Sluice knows only n8n's own nodes here: a community package may be installed all the same."]
        : []),
      'With "missing_nodes": "import" it is imported anyway: n8n keeps such nodes, but does not run them.',
    ].join('\n'),
  );
}
