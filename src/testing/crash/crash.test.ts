import { afterEach, describe, expect, it } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase } from '../postgres.ts'
import { type Child, startChild } from './child.ts'
import type { Ledger } from './ledger.ts'
import { load } from './load.ts'
import { newSurvey, openSurvey } from './responders.ts'
import { expectIntact, verify } from './verify.ts'

/** `CRASH_ROUNDS=200` crashes it two hundred times. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 5)
const ROUND_MS = 30_000

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-crash-'))
  folders.push(folder)
  return folder
}

/** Kills it after some answers, at whatever the other requests are just doing. */
async function crash(child: Child, key: string, ledger: Ledger): Promise<void> {
  let left = 20 + Math.floor(Math.random() * 180)
  let killing: Promise<void> | undefined
  await load({ url: child.url, key }, ledger, () => {
    left -= 1
    if (left === 0) killing = child.kill()
  })
  await killing
}

async function crashOften(
  folder: string,
  settings: Record<string, string>,
  given: { rounds: number; lookAside(): void },
): Promise<Ledger> {
  const ledger: Ledger = { entries: [], uploads: [], survey: newSurvey() }
  const first = await startChild(folder, settings)
  const key = first.key!
  await openSurvey({ url: first.url, key }, ledger)
  await crash(first, key, ledger)
  for (let round = 1; round <= given.rounds; round++) {
    given.lookAside()
    // Now and then it is killed again before it has done anything.
    if (Math.random() < 0.3) await (await startChild(folder, settings)).kill()
    const child = await startChild(folder, settings)
    try {
      expect(child.key).toBeNull()
      await verify({ url: child.url, key }, ledger)
      if (round < given.rounds) await crash(child, key, ledger)
    } finally {
      await child.kill()
    }
  }
  given.lookAside()
  return ledger
}

describe('a server that is killed while it creates, edits, publishes, counts and collects', () => {
  it(
    'has all that it answered, shows nothing half-written, and passes no limit, on SQLite',
    async () => {
      const folder = newFolder()
      const lookAside = () => expectIntact(join(folder, 'data'))
      const ledger = await crashOften(folder, {}, { rounds: ROUNDS, lookAside })
      expect(ledger.entries.length).toBeGreaterThan(5)
    },
    ROUND_MS * (ROUNDS + 1),
  )

  it(
    'has all that it answered, shows nothing half-written, and passes no limit, on PostgreSQL',
    async () => {
      const { url, drop } = await freshDatabase()
      const rounds = Math.ceil(ROUNDS / 3)
      await crashOften(newFolder(), { DATABASE_URL: url }, { rounds, lookAside() {} })
      await drop()
    },
    ROUND_MS * (ROUNDS + 1),
  )
})
