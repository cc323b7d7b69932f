import { createContentWork } from '../features/content/index.ts'
import { createThreads } from '../platform/threads.ts'

/** Shared by all tests of a file: a thread takes a while to start. */
const program = new URL('../thread.ts', import.meta.url)
export const threads = createThreads({ program })
/** For the long reads of SQLite. */
export const readThread = createThreads({ program, maxThreads: 1 })
export const contentWork = createContentWork(threads)
