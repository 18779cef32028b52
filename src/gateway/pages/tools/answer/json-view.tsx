import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { count } from '../../../../console/client/ui/ago.tsx';
import { Copy } from '../../../../console/client/ui/copy.tsx';
import { Tabs } from '../../../../console/client/ui/fields.tsx';
import { Tree } from '../../../../console/client/ui/tree.tsx';
import { brief, isObject } from '../schema/json.ts';
import { Download } from './download.tsx';
import { GridView } from './grid-view.tsx';
import { LongText } from './long-text.tsx';
import { gridIn } from './table-of.ts';

const LONGEST_NAMES = 200;

/** Data as a tree, as a table if it is a list of objects, and as text. */
export function JsonView({ value, name }: { value: unknown; name: string }) {
  const grid = useMemo(() => gridIn(value), [value]);
  const others = grid && isObject(value) ? Object.keys(value).filter((one) => one !== grid.at) : [];
  const view = useSignal(grid ? 'table' : 'tree');
  const text = () => JSON.stringify(value, null, 2);
  return (
    <div class="json-view">
      <div class="line">
        <Tabs
          label="Form of the data"
          chosen={view.value}
          tabs={[
            ...(grid ? [['table', `Table (${count(grid.rows.length)})`] as const] : []),
            ['tree', 'Tree'],
            ['text', 'JSON'],
          ]}
          onChoose={(next) => (view.value = next)}
        />
        {view.value !== 'text' && (
          <>
            <Copy text={text}>Copy the JSON</Copy>
            <Download name={`${name}.json`} make={() => [text()]} />
          </>
        )}
      </div>
      {view.value === 'table' && grid && (
        <>
          <GridView grid={grid} />
          {others.length > 0 && (
            <p class="quiet">
              These are the rows of <bdi>{brief(grid.at)}</bdi>. The tree also has{' '}
              <bdi>{brief(others.join(', '), LONGEST_NAMES)}</bdi>.
            </p>
          )}
        </>
      )}
      {view.value === 'tree' && (
        <div class="card">
          <Tree value={value} open={2} />
        </div>
      )}
      {view.value === 'text' && <LongText text={text()} name={`${name}.json`} />}
    </div>
  );
}
