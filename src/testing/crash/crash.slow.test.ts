import { afterEach, describe, expect, it } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase } from '../postgres.ts'
import { type Child, startChild } from './child.ts'
import type { ExpectedState } from './expected-state.ts'
import { load } from './load.ts'
import { newSurvey, publishSurvey } from './survey.ts'
import { expectIntactDatabase, verify } from './verify.ts'

/** `CRASH_ROUNDS=200` kills the server two hundred times. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 5)
const ROUND_MS = 60_000

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-crash-'))
  folders.push(folder)
  return folder
}

/** Kills the server after some answers, while other requests are in progress. */
async function crash(child: Child, key: string, expected: ExpectedState): Promise<void> {
  let answersLeft = 20 + Math.floor(Math.random() * 180)
  let killing: Promise<void> | undefined
  await load({ url: child.url, key }, expected, () => {
    answersLeft -= 1
    if (answersLeft === 0) killing = child.kill()
  })
  await killing
}

async function crashRepeatedly(
  folder: string,
  settings: Record<string, string>,
  { rounds, checkFiles }: { rounds: number; checkFiles(): void },
): Promise<ExpectedState> {
  const expected: ExpectedState = { pages: [], uploads: [], survey: newSurvey() }
  const first = await startChild(folder, settings)
  const key = first.key!
  await publishSurvey({ url: first.url, key }, expected.survey)
  await crash(first, key, expected)
  for (let round = 1; round <= rounds; round++) {
    checkFiles()
    // Sometimes the server is killed again right after its start.
    if (Math.random() < 0.3) await (await startChild(folder, settings)).kill()
    const child = await startChild(folder, settings)
    try {
      expect(child.key).toBeNull()
      await verify({ url: child.url, key }, expected)
      if (round < rounds) await crash(child, key, expected)
    } finally {
      await child.kill()
    }
  }
  checkFiles()
  return expected
}

describe('a server that is killed during creates, edits, publishes, views and responses', () => {
  it(
    'has every answered write, shows no partial content and exceeds no limit, on SQLite',
    async () => {
      const folder = newFolder()
      const checkFiles = () => expectIntactDatabase(join(folder, 'data'))
      const expected = await crashRepeatedly(folder, {}, { rounds: ROUNDS, checkFiles })
      expect(expected.pages.length).toBeGreaterThan(5)
    },
    ROUND_MS * (ROUNDS + 1),
  )

  it(
    'has every answered write, shows no partial content and exceeds no limit, on PostgreSQL',
    async () => {
      const { url, drop } = await freshDatabase()
      const rounds = Math.ceil(ROUNDS / 3)
      await crashRepeatedly(newFolder(), { DATABASE_URL: url }, { rounds, checkFiles() {} })
      await drop()
    },
    ROUND_MS * (ROUNDS + 1),
  )
})
