const HELD_MS = 60_000;

interface DownloadProps {
  readonly name: string;
  readonly make: () => BlobPart[];
  readonly children?: string;
}

/** Saves something as a file. Its type says nothing, so that no browser opens it as a page. */
export function Download({ name, make, children = 'Download' }: DownloadProps) {
  const press = () => {
    const url = URL.createObjectURL(new Blob(make(), { type: 'application/octet-stream' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), HELD_MS);
  };
  return (
    <button type="button" class="plain" onClick={press}>
      {children}
    </button>
  );
}
