import { CONTENT_TASKS } from './features/content/tasks.ts'
import { HTML_TO_MARKDOWN_TASKS } from './features/html-to-markdown/index.ts'
import { createLinkPictureTasks } from './features/link-pictures/index.ts'
import { TRANSFER_TASKS } from './features/transfer/page-json.ts'
import { createWatermarkTasks } from './features/watermarks/index.ts'
import { createSqliteTasks } from './platform/db/sqlite-tasks.ts'
import { serveTasks } from './platform/thread-tasks.ts'

/** The program of a thread: `main.ts` loads it there. */
serveTasks({
  ...CONTENT_TASKS,
  ...TRANSFER_TASKS,
  ...createLinkPictureTasks(),
  ...HTML_TO_MARKDOWN_TASKS,
  ...createWatermarkTasks(),
  ...createSqliteTasks(),
})
