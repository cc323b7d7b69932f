import { expect, test } from 'bun:test'
import { inflateSync } from 'node:zlib'
import type { Path } from 'fontkit'
import { createRaster } from './raster.ts'

type Commands = Path['commands']

/** The red of each pixel of a picture of 8 by 4, white on black. */
function redOf(commands: Commands): number[][] {
  const raster = createRaster(8, 4, [0, 0, 0])
  raster.fill([{ commands }], [255, 255, 255])
  const png = Buffer.from(raster.png())
  const length = png.readUInt32BE(33)
  const rows = inflateSync(png.subarray(41, 41 + length))
  return [0, 1, 2, 3].map((y) => [...Array(8).keys()].map((x) => rows[y * 25 + 1 + x * 3]!))
}

function polygon(...points: [number, number][]): Commands {
  const lines = points.map((args, no) => ({ command: no === 0 ? 'moveTo' : 'lineTo', args }))
  return [...lines, { command: 'closePath', args: [] }] as Commands
}

test('an outline is filled, and its edges by the share that it covers of a pixel', () => {
  const rows = redOf(polygon([1.5, 1], [4.25, 1], [4.25, 2.5], [1.5, 2.5]))
  expect(rows).toEqual([
    [0, 0, 0, 0, 0, 0, 0, 0],
    [0, 128, 255, 255, 64, 0, 0, 0],
    [0, 64, 128, 128, 32, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0],
  ])
})

test('a slope covers half of the pixels that it halves', () => {
  const rows = redOf(polygon([0, 0], [4, 4], [0, 4]))
  for (const y of [0, 1, 2, 3]) {
    expect(rows[y]).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((x) => (x < y ? 255 : x === y ? 128 : 0)))
  }
  // Flat: one line crosses many pixels of a row.
  expect(redOf(polygon([0, 0], [8, 1], [0, 1]))[0]).toEqual([239, 207, 175, 143, 112, 80, 48, 16])
})

test('an outline in the other direction within another is a hole', () => {
  const [, row] = redOf([
    ...polygon([0, 0], [6, 0], [6, 4], [0, 4]),
    ...polygon([2, 1], [2, 3], [4, 3], [4, 1]),
  ])
  expect(row).toEqual([255, 255, 0, 0, 255, 255, 0, 0])
})

test('a curve is filled, and what lies outside of the picture is no error', () => {
  const curve: Commands = [
    { command: 'moveTo', args: [0, 4] },
    { command: 'quadraticCurveTo', args: [4, -4, 8, 4] },
    { command: 'closePath', args: [] },
  ]
  const rows = redOf(curve)
  expect(rows[3]![4]).toBe(255)
  expect(rows[0]![0]).toBe(0)
  expect(rows[3]![0]).toBeGreaterThan(0)
  expect(redOf(polygon([-9, -9], [30, -9], [30, 30], [-9, 30])).flat()).toEqual(Array(32).fill(255))
})
