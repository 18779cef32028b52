interface PlotProps {
  /** What it shows, in words, for those who cannot see it. */
  readonly label: string;
  readonly values: readonly number[];
  /** A second series, drawn over the first: failures among calls. */
  readonly marked?: readonly number[];
  readonly height?: number;
}

const STEP = 6;

/** A small bar plot without axes. */
export function Plot({ label, values, marked, height = 48 }: PlotProps) {
  const most = Math.max(1, ...values);
  const tall = (value: number) => (value === 0 ? 0 : Math.max(2, (value / most) * height));
  return (
    <svg
      class="plot"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${values.length * STEP} ${height}`}
      preserveAspectRatio="none"
    >
      {values.map((value, index) => (
        <rect key={index} x={index * STEP} width={STEP - 1} y={height - tall(value)} height={tall(value)} />
      ))}
      {marked?.map((value, index) => (
        <rect
          key={`m${index}`}
          class="marked"
          x={index * STEP}
          width={STEP - 1}
          y={height - tall(value)}
          height={tall(value)}
        />
      ))}
    </svg>
  );
}
