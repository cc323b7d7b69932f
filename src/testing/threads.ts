import { createContentWork } from '../features/content/index.ts'
import { createThreads } from '../platform/threads.ts'

/** Shared by all tests of a file: a thread takes a while to start. */
export const threads = createThreads(new URL('../thread.ts', import.meta.url))
export const contentWork = createContentWork(threads)
