/** How a gateway starts, which runs for weeks. V8 and glibc read this when a process starts, so it takes one of its own. */

/** V8 keeps less room for new objects, and collects sooner. */
export const flags = ['--max-semi-space-size=8', '--heap-growing-percent=30'];

/** glibc returns to the system what is freed. */
export const malloc = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };
