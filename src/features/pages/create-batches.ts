import { isDatabaseDown } from '../../platform/db/errors.ts'
import type { Database } from '../../platform/db/index.ts'
import type { InsertPages, NewPage } from './insert-pages.ts'
import type { Written } from './present.ts'

/** The most pages in one transaction: enough to share its cost, few enough that two run at once. */
const MAX_PAGES = 16
const MAX_RUNNING = 2
/** The most new files of a page in a shared transaction. A deck with more has its own. */
const MAX_FILES = 8
/** A transaction that waits longer than this for a lock no longer blocks the start of others. */
const SLOW_MS = 100

interface Waiting {
  newPage: NewPage
  resolve(answer: Written | Promise<Written>): void
  reject(err: unknown): void
}

export interface CreateBatchesDeps {
  database: Pick<Database, 'write'>
  pages: Pick<InsertPages, 'insertFree'>
  /** Stores a page in a transaction of its own. */
  insertAlone(newPage: NewPage): Promise<Written>
}

/**
 * Stores new pages. Those that arrive during other transactions share the next one, with as few
 * statements as for one page. A page whose title is taken, or whose request names a slug, is stored
 * alone, and so are all pages of a failed transaction, so that no page makes another fail.
 */
export function createCreateBatches({ database, pages, insertAlone }: CreateBatchesDeps) {
  const waiting: Waiting[] = []
  let running = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || running >= MAX_RUNNING || waiting.length === 0) return
    isScheduled = true
    // Those that arrive in one turn of the event loop begin together.
    setImmediate(begin)
  }

  function begin(): void {
    isScheduled = false
    const batch = waiting.splice(0, MAX_PAGES)
    running += 1
    const free = once(() => {
      running -= 1
      schedule()
    })
    const slow = setTimeout(free, SLOW_MS)
    void store(batch).finally(() => {
      clearTimeout(slow)
      free()
    })
    schedule()
  }

  async function store(batch: readonly Waiting[]): Promise<void> {
    const newPages = batch.map(({ newPage }) => newPage)
    try {
      const answers = await database.write((tx) => pages.insertFree(tx, newPages))
      for (const [at, { newPage, resolve }] of batch.entries()) {
        resolve(answers[at] ?? insertAlone(newPage))
      }
    } catch (err) {
      // A commit whose answer was lost may have been made.
      const isLost = isDatabaseDown(err)
      for (const { newPage, resolve, reject } of batch) {
        if (isLost) reject(err)
        else resolve(insertAlone(newPage))
      }
    }
  }

  return (newPage: NewPage): Promise<Written> => {
    if (newPage.hasOwnSlug || newPage.staged.newBlobs.size > MAX_FILES) return insertAlone(newPage)
    return new Promise((resolve, reject) => {
      waiting.push({ newPage, resolve, reject })
      schedule()
    })
  }
}

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}
