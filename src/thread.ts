import { CONTENT_TASKS } from './features/content/tasks.ts'
import { TRANSFER_TASKS } from './features/transfer/tasks.ts'
import { JSON_TASKS } from './http/kit/json-tasks.ts'
import { createSqliteTasks } from './platform/db/sqlite-tasks.ts'
import { serveTasks } from './platform/thread-tasks.ts'

/** The program of a thread: `main.ts` loads it there. */
serveTasks({ ...CONTENT_TASKS, ...JSON_TASKS, ...TRANSFER_TASKS, ...createSqliteTasks() })
