interface TabsProps {
  readonly label: string;
  readonly names: readonly (readonly [name: string, title: string])[];
  readonly chosen: string;
  readonly choose: (name: string) => void;
}

export function Tabs({ label, names, chosen, choose }: TabsProps) {
  return (
    <div class="tabs n8n-tabs" role="group" aria-label={label}>
      {names.map(([name, title]) => (
        <button key={name} type="button" aria-pressed={name === chosen} onClick={() => choose(name)}>
          {title}
        </button>
      ))}
    </div>
  );
}
