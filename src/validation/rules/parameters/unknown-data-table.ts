import { didYouMean, inQuotes, nearestNames, shown } from '../../../kernel/nearest-names.ts';
import { tableIn } from '../../instance-references.ts';
import type { Rule } from '../../rule.ts';
import type { Subject } from '../../subject/subject.ts';
import { givenFields } from '../../parameters/checked-fields.ts';

/** n8n saves and publishes the workflow, and every run fails. Checked only if the tables of the instance are known. */
export const unknownDataTable: Rule = {
  id: 'unknown-data-table',
  group: 'parameters',
  title: 'Every data table exists on the instance.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    const tables = subject.world?.dataTables;
    if (!tables) return;
    for (const { node, property, value, pointer } of givenFields(subject, 'resourceLocator')) {
      const table = property.name === 'dataTableId' ? tableIn(value) : undefined;
      if (!table || tables.some((one) => one[table.by] === table.value)) continue;
      // The workflow may create the table itself.
      if (table.by === 'name' && makesTables(subject)) continue;
      const names = tables.map(({ name }) => name);
      const near = table.by === 'name' ? nearestNames(table.value, names, 1) : [];
      report({
        node: node.name,
        path: pointer,
        message: `There is no data table with the ${table.by} "${shown(table.value)}" on this n8n, so every run fails at this node. ${adviceOn(near[0], names)}`,
      });
    }
  },
};

function adviceOn(near: string | undefined, names: readonly string[]): string {
  if (near !== undefined) return didYouMean(inQuotes([shown(near)]));
  if (names.length === 0) return 'This n8n has no tables: create one first.';
  return `This n8n has ${names
    .slice(0, 5)
    .map((name) => `"${shown(name)}"`)
    .join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}.`;
}

function makesTables({ nodes }: Subject): boolean {
  return nodes.some(
    ({ type, parameters }) =>
      /\.dataTable(Tool)?$/.test(type) && parameters['resource'] === 'table' && parameters['operation'] === 'create',
  );
}
