import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSlotFiles, type SlotFile } from './mapped-files.ts'

const SLOTS = 9
let folder: string
let files: ReturnType<typeof createSlotFiles>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handbill-slots-'))
  files = createSlotFiles(join(folder, 'made'), SLOTS)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const pathOf = ({ id }: SlotFile) => join(folder, 'made', `${id}.slots`)

/** What another process finds in the file once this one has ended. */
function left(file: SlotFile) {
  file.release()
  const [abandoned, ...others] = files.takeAbandoned()
  expect(others).toEqual([])
  expect(abandoned!.id).toBe(file.id)
  return abandoned!
}

describe('a file of slots', () => {
  it('holds what was counted, in the order of its slots, for the next process', () => {
    const file = files.create()
    const [a, b] = [
      file.open({ key: 'pg_a', group: 5, batch: 1 })!,
      file.open({ key: 'pg_b', group: 6, batch: 2 })!,
    ]
    for (let n = 0; n < 3; n++) file.add(a)
    file.add(b)
    file.open({ key: 'pg_unused', group: 6, batch: 2 })
    const abandoned = left(file)
    expect(abandoned.read()).toEqual([
      { key: 'pg_a', group: 5, batch: 1, count: 3 },
      { key: 'pg_b', group: 6, batch: 2, count: 1 },
    ])
    abandoned.remove()
    expect(readdirSync(join(folder, 'made'))).toEqual([])
    expect(files.takeAbandoned()).toEqual([])
  })

  it('is written whole when it is made: no byte of it is a hole, which a full disk could not fill', () => {
    const { size, blocks } = statSync(pathOf(files.create()))
    expect(size).toBe((SLOTS + 1) * 64)
    expect(blocks * 512).toBeGreaterThanOrEqual(size)
  })

  it('uses a slot again once it was freed, and then counts from zero for another key', () => {
    const file = files.create()
    const slot = file.open({ key: 'pg_a_long_name', group: 5, batch: 1 })!
    file.add(slot)
    file.free([slot])
    expect(file.open({ key: 'pg_b', group: 7, batch: 2 })).toBe(slot)
    file.add(slot)
    expect(left(file).read()).toEqual([{ key: 'pg_b', group: 7, batch: 2, count: 1 }])
  })

  it('has no slot where all are in use, nor for a key that is too long', () => {
    const file = files.create()
    const open = (key: string) => file.open({ key, group: 0, batch: 1 })
    expect(open('x'.repeat(41))).toBeNull()
    const opened = Array.from({ length: SLOTS }, (_, at) => open(`pg_${at}`))
    expect(new Set(opened).size).toBe(SLOTS)
    expect(open('pg_more')).toBeNull()
    file.free([opened[3]!])
    expect(open('x'.repeat(40))).toBe(opened[3]!)
  })

  it('is nobody else’s while its process lives', () => {
    const [file, other] = [files.create(), files.create()]
    expect(files.takeAbandoned()).toEqual([])
    other.release()
    expect(files.takeAbandoned().map(({ id }) => id)).toEqual([other.id])
    file.release()
  })

  it('can be left to the next process again by one that could not store its counts', () => {
    const file = files.create()
    file.add(file.open({ key: 'pg_a', group: 0, batch: 1 })!)
    left(file).release()
    expect(files.takeAbandoned()[0]!.read()).toMatchObject([{ key: 'pg_a', count: 1 }])
  })

  it('that was not made to its end has no counts', () => {
    const file = files.create()
    writeFileSync(pathOf(file), new Uint8Array(200))
    expect(left(file).read()).toEqual([])
    const empty = files.create()
    writeFileSync(pathOf(empty), '')
    empty.release()
    expect(files.takeAbandoned().map((each) => each.read())).toEqual([[]])
  })

  const spoil: [string, string, (path: string) => void][] = [
    ['foreign', 'is not a file of counts', (path) => writeFileSync(path, 'x'.repeat(6400))],
    ['cut off', 'is incomplete', (path) => truncateSync(path, 640 - 64)],
    [
      'damaged',
      'is damaged at byte 64',
      (path) => {
        const bytes = readFileSync(path)
        bytes.fill(0xff, 64, 128)
        writeFileSync(path, bytes)
      },
    ],
  ]
  for (const [what, message, damage] of spoil) {
    it(`that is ${what} is refused, and stays`, () => {
      const file = files.create()
      file.add(file.open({ key: 'pg_a', group: 0, batch: 1 })!)
      damage(pathOf(file))
      const abandoned = left(file)
      expect(() => abandoned.read()).toThrow(message)
      abandoned.release()
      expect(readdirSync(join(folder, 'made'))).toContain(`${file.id}.slots`)
    })
  }
})

it('a folder that is not there has no files, and other files in it are left alone', () => {
  expect(files.takeAbandoned()).toEqual([])
  files.create().release()
  writeFileSync(join(folder, 'made', 'notes.slots'), 'mine')
  for (const each of files.takeAbandoned()) each.remove()
  expect(readdirSync(join(folder, 'made'))).toEqual(['notes.slots'])
})

it('a file that cannot be made leaves nothing behind', () => {
  writeFileSync(join(folder, 'made'), 'no folder')
  expect(() => files.create()).toThrow()
  rmSync(join(folder, 'made'))
  const none = createSlotFiles(join(folder, 'made'), 2 ** 50)
  expect(() => none.create()).toThrow()
  expect(readdirSync(join(folder, 'made'))).toEqual([])
})
