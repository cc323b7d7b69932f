import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSpaceReserve } from './content-space.ts'

test('a reserve takes its space in full, gives it up once, and is filled again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-reserve-'))
  try {
    const path = join(folder, 'reserve')
    const reserve = createSpaceReserve(path, 100_000)
    expect(reserve.giveUp()).toBe(false)
    reserve.fill()
    const { size, blocks } = statSync(path)
    expect(size).toBe(100_000)
    expect(blocks * 512).toBeGreaterThanOrEqual(size)
    expect(reserve.giveUp()).toBe(true)
    expect(existsSync(path)).toBe(false)
    expect(reserve.giveUp()).toBe(false)
    reserve.fill()
    truncateSync(path, 1000)
    reserve.fill()
    expect(statSync(path).size).toBe(100_000)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a reserve that cannot be made is none', () => {
  const reserve = createSpaceReserve(join(tmpdir(), 'handbill-no-folder', 'reserve'), 1000)
  reserve.fill()
  expect(reserve.giveUp()).toBe(false)
})
