import { crc32, deflateSync } from 'node:zlib'
import type { Path } from 'fontkit'

export type Colour = readonly [red: number, green: number, blue: number]
type Point = readonly [x: number, y: number]
type Outline = Pick<Path, 'commands'>

/** Straight parts of each curve: of letters of this size none is seen. */
const PARTS = 12

/** A picture without transparency, in which outlines are filled, their edges smooth. */
export function createRaster(width: number, height: number, paper: Colour) {
  const pixels = new Uint8Array(width * height * 3)
  for (let at = 0; at < pixels.length; at++) pixels[at] = paper[at % 3]!

  function blend(pixel: number, colour: Colour, share: number): void {
    for (const [no, value] of colour.entries()) {
      const at = pixel * 3 + no
      pixels[at] = Math.round(pixels[at]! + (value - pixels[at]!) * share)
    }
  }

  return {
    fillRows(top: number, bottom: number, [left, right]: Point, colour: Colour): void {
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) blend(y * width + x, colour, 1)
      }
    },
    fill: (outlines: readonly Outline[], colour: Colour) =>
      cover(outlines, width, height, (pixel, share) => blend(pixel, colour, share)),
    png: (): Uint8Array => encodePng(pixels, width, height),
  }
}

/** Calls back with each pixel that the outlines cover, and with the share that they cover of it. */
export function cover(
  outlines: readonly Outline[],
  width: number,
  height: number,
  paint: (pixel: number, share: number) => void,
): void {
  const areas = new Float32Array(width * height + 2)
  for (const { commands } of outlines) {
    eachLine(commands, (from, to) => addLine({ areas, width, height }, from, to))
  }
  let sum = 0
  for (let pixel = 0; pixel < width * height; pixel++) {
    sum += areas[pixel]!
    const share = Math.min(1, Math.abs(sum))
    if (share > 0.002) paint(pixel, share)
  }
}

function eachLine(commands: Outline['commands'], add: (from: Point, to: Point) => void): void {
  let [start, at]: [Point, Point] = [
    [0, 0],
    [0, 0],
  ]
  const lineTo = (to: Point) => {
    add(at, to)
    at = to
  }
  for (const { command, args } of commands) {
    const points: Point[] = [at]
    for (let no = 0; no < args.length; no += 2) points.push([args[no]!, args[no + 1]!])
    if (command === 'moveTo') at = start = points[1]!
    else if (command === 'closePath') lineTo(start)
    else if (points.length === 2) lineTo(points[1]!)
    else for (let part = 1; part <= PARTS; part++) lineTo(between(points, part / PARTS))
  }
}

/** A point of a curve, by the construction of de Casteljau. */
function between(points: readonly Point[], share: number): Point {
  if (points.length === 1) return points[0]!
  const next = points.slice(1).map(([x, y], no): Point => {
    const [fromX, fromY] = points[no]!
    return [fromX + (x - fromX) * share, fromY + (y - fromY) * share]
  })
  return between(next, share)
}

interface Areas {
  areas: Float32Array
  width: number
  height: number
}

/**
 * Adds the signed area to the right of a line to each pixel, as a difference to the pixel before:
 * the sums along a row are then what outlines cover of its pixels (as in font-rs).
 */
function addLine({ areas, width, height }: Areas, from: Point, to: Point): void {
  if (from[1] === to[1]) return
  const direction = from[1] < to[1] ? 1 : -1
  const [[topX, topY], [bottomX, bottomY]] = direction === 1 ? [from, to] : [to, from]
  const slope = (bottomX - topX) / (bottomY - topY)
  const xAt = (y: number) => Math.min(width, Math.max(0, topX + (y - topY) * slope))
  const last = Math.min(height, Math.ceil(bottomY))
  for (let row = Math.max(0, Math.floor(topY)); row < last; row++) {
    const [upper, lower] = [Math.max(row, topY), Math.min(row + 1, bottomY)]
    const [a, b] = [xAt(upper), xAt(lower)]
    const [left, right] = a < b ? [a, b] : [b, a]
    const height = (lower - upper) * direction
    let covered = 0
    for (let x = Math.floor(left); x <= right; x++) {
      const until = coverage(left, right, x + 1) * height
      areas[row * width + x]! += until - covered
      covered = until
    }
    areas[row * width + Math.floor(right) + 1]! += height - covered
  }
}

/** The share of pixel `x - 1` that is right of a line which crosses a row from left to right. */
function coverage(left: number, right: number, x: number): number {
  const before = (at: number) => {
    if (at <= left) return 0
    if (at >= right) return at - (left + right) / 2
    return (at - left) ** 2 / (2 * (right - left))
  }
  return before(x) - before(x - 1)
}

function encodePng(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const rows = Buffer.alloc(height * (width * 3 + 1))
  for (let y = 0; y < height; y++) {
    rows.set(pixels.subarray(y * width * 3, (y + 1) * width * 3), y * (width * 3 + 1) + 1)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits for each of red, green and blue.
  header.set([8, 2], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', '')]
  return new Uint8Array(Buffer.concat([signature, ...parts]))
}

/** A chunk of a PNG. */
export function chunk(type: string, data: Buffer | ''): Buffer {
  const content = Buffer.concat([Buffer.from(type), Buffer.from(data)])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, check])
}
