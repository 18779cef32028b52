import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Graph } from '../../console/client/ui/graph/graph.tsx';
import type { Flow } from './flow.ts';

const COLUMN = 236;
const MOST_COLUMNS = 6;

interface Props {
  readonly label: string;
  /** The drawing with so many steps on a line. */
  readonly flow: (columns: number) => Flow;
  /** The drawing changes when these do. */
  readonly deps: readonly unknown[];
  readonly chosen: string | undefined;
  readonly onChoose: (step: string) => void;
}

/** Steps as a drawing that is as wide as the page and as high as it needs to be. */
export function Drawing({ label, flow, deps, chosen, onChoose }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const columns = useSignal(0);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => {
      columns.value = Math.min(MOST_COLUMNS, Math.max(2, Math.floor(element.clientWidth / COLUMN)));
    };
    const watching = new ResizeObserver(measure);
    measure();
    watching.observe(element);
    return () => watching.disconnect();
  }, []);
  const drawn = useMemo(() => (columns.value === 0 ? undefined : flow(columns.value)), [columns.value, ...deps]);
  return (
    <div ref={box} class="flow" style={{ '--lines': drawn?.lines ?? 1 }}>
      {drawn && (
        <Graph
          key={`${columns.value} ${drawn.lines}`}
          label={label}
          nodes={drawn.nodes}
          edges={drawn.edges}
          chosen={chosen}
          onChoose={onChoose}
        />
      )}
    </div>
  );
}
