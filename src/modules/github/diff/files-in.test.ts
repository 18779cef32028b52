import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filesIn } from './files-in.ts';

const DIFF = `diff --git a/src/a.ts b/src/a.ts
index 111..222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,2 @@ function a()
-old
+new
 diff --git a/x b/x
\\ No newline at end of file
diff --git a/new.md b/new.md
new file mode 100644
index 000..333
--- /dev/null
+++ b/new.md
@@ -0,0 +1 @@
+++ not a header
diff --git a/gone.md b/gone.md
deleted file mode 100644
index 333..000
--- a/gone.md
+++ /dev/null
@@ -1 +0,0 @@
--- not a header
diff --git a/old name.ts b/new name.ts
similarity index 100%
rename from old name.ts
rename to new name.ts
diff --git a/logo.png b/logo.png
index 111..222 100644
Binary files a/logo.png and b/logo.png differ
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git "a/\\303\\274 \\"x\\".txt" "b/\\303\\274 \\"x\\".txt"
index 111..222 100644
--- "a/\\303\\274 \\"x\\".txt"
+++ "b/\\303\\274 \\"x\\".txt"
@@ -1 +1 @@
-1
+2
diff --git a/empty b/empty
new file mode 100644
index 000..e69
`;

describe('filesIn', () => {
  test('splits a diff by file, whatever the lines of a hunk look like', () => {
    expect(filesIn(DIFF)).toEqual([
      {
        path: 'src/a.ts',
        status: 'modified',
        lines: ['@@ -1,2 +1,2 @@ function a()', '-old', '+new', ' diff --git a/x b/x', '\\ No newline at end of file'],
      },
      { path: 'new.md', status: 'added', lines: ['@@ -0,0 +1 @@', '+++ not a header'] },
      { path: 'gone.md', status: 'removed', lines: ['@@ -1 +0,0 @@', '--- not a header'] },
      { path: 'new name.ts', status: 'renamed', previous: 'old name.ts', lines: ['(renamed without changes)'] },
      { path: 'logo.png', status: 'modified', lines: ['(binary file)'] },
      { path: 'run.sh', status: 'modified', lines: ['(only the mode changed: 100755)'] },
      { path: 'ü "x".txt', status: 'modified', lines: ['@@ -1 +1 @@', '-1', '+2'] },
      { path: 'empty', status: 'added', lines: ['(empty file)'] },
    ]);
  });

  test('finds nothing in an empty diff, and never throws', () => {
    expect(filesIn('')).toEqual([]);
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom(...DIFF.split('\n')))), (lines) => {
        expect(Array.isArray(filesIn(lines.join('\n')))).toBe(true);
      }),
    );
  });
});
