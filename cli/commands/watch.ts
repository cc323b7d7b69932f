import { setTimeout as pause } from 'node:timers/promises'
import type { LocalContent } from '../../src/client/content/local-content.ts'
import { ApiError } from '../../src/client/index.ts'
import { count } from '../../src/model/numbers.ts'
import { shortened } from '../../src/model/page/warnings.ts'
import { hashesOf, type Stamps, stampsOf } from '../local-content.ts'
import { oneLine } from '../output.ts'
import type { Page } from '../page.ts'
import { describeState, printWarnings, type Written } from '../publishing.ts'
import { printStatus } from '../terminal.ts'

/**
 * How often the files are looked at. Asking the system to tell of changes is not enough: it misses
 * new folders, files that editors replace, and drives of other computers, each in its own way.
 */
const PAUSE_MS = 200
/** Looking takes at most this part of the time, however many files there are. */
const PART_OF_TIME = 1 / 20
const RETRY_MS = 2000
/** How often in a row the files cannot be read before that is worth a line. */
const MISSES = 5
const MAX_NAMES = 3

interface Watched {
  location: string
  isAlone: boolean
  read(): Promise<LocalContent>
  send(local: LocalContent): Promise<Written>
}

interface Snapshot {
  stamps: Stamps
  hashes: ReadonlyMap<string, string>
}

/** Takes a first look, before the files are sent. */
export async function createWatch(watched: Watched) {
  const { location, isAlone, read, send } = watched
  const take = async (stamps: Stamps, last?: Snapshot): Promise<Snapshot> => ({
    stamps,
    hashes: await hashesOf(location, stamps, last),
  })
  let base = await take(await stampsOf(location, isAlone))
  let isWaiting = false
  let lastLine = ''
  let warned = ''

  /** Says a thing once, however often it is met. */
  function say(text: string): void {
    if (text !== lastLine) printStatus(`${new Date().toTimeString().slice(0, 8)} ${oneLine(text)}`)
    lastLine = text
  }

  function report(names: readonly string[], { data: page, warnings }: Written): void {
    lastLine = ''
    const number = warnings.length === 0 ? '' : ` ${count(warnings.length, 'warning')}.`
    const done = page.has_unpublished_changes || !page.is_published ? 'Draft' : 'Published'
    say(`${done}: ${shortened(names, MAX_NAMES)}.${number}`)
    const text = JSON.stringify(warnings)
    if (text !== warned) printWarnings(warnings)
    warned = text
  }

  /** Sends what differs. @returns the page; null if nothing does, or the server does not answer */
  async function sendChanges(stamps: Stamps): Promise<Page | null> {
    const next = await take(stamps, base)
    const names = changedNames(base.hashes, next.hashes)
    isWaiting = false
    if (names.length > 0) {
      isWaiting = true
      try {
        const written = await send(await read())
        report(names, written)
        isWaiting = false
        base = next
        return written.data
      } catch (err) {
        const { message } = err as Error
        if (isTemporary(err)) {
          say(`${message} This goes on when it answers.`)
          await pause(RETRY_MS)
          return null
        }
        say(message)
      }
    }
    // Sending what was refused again would be refused again.
    base = next
    return null
  }

  return {
    /** Sends each save until the process is interrupted. */
    async run(first: Page): Promise<void> {
      let page = first
      process.removeAllListeners('SIGINT')
      process.once('SIGINT', () => {
        printStatus(isWaiting ? 'The last save has not reached the server.' : describeState(page))
        const hint = page.has_unpublished_changes || !page.is_published
        if (hint) printStatus(`To publish the draft: handbill publish ${page.id}`)
        process.exit(130)
      })
      let last = base.stamps
      let restMs = PAUSE_MS
      let misses = 0
      for (;;) {
        await pause(restMs)
        const startMs = performance.now()
        try {
          const stamps = await stampsOf(location, isAlone)
          restMs = Math.max(PAUSE_MS, (performance.now() - startMs) / PART_OF_TIME)
          // What still changes is being written.
          const isSettled = isSame(stamps, last)
          last = stamps
          misses = 0
          if (isSettled && !isSame(stamps, base.stamps)) page = (await sendChanges(stamps)) ?? page
        } catch (err) {
          // Editors take a file away for a moment when they save it.
          misses += 1
          if (misses === MISSES) say((err as Error).message)
        }
      }
    },
  }
}

function isTemporary(err: unknown): boolean {
  if (!(err instanceof ApiError)) return false
  return err.status === null || err.status === 429 || err.status >= 500
}

function isSame(a: Stamps, b: Stamps): boolean {
  return a.size === b.size && [...a].every(([path, stamp]) => b.get(path) === stamp)
}

function changedNames(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const changed = [...after.keys()].filter((path) => before.get(path) !== after.get(path))
  const removals = [...before.keys()].filter((path) => !after.has(path))
  return [...changed, ...removals.map((path) => `${path} removed`)]
}
