import { expect, it } from 'bun:test'
import { encode } from 'uqr'
import { qrSvg } from './qr-dialog.tsx'

const LINK = 'https://pages.example.com/p/launch-plan'
const MODULE = 24

it('the file is an SVG that fills exactly the dark modules, with a light border of four', () => {
  const svg = qrSvg(LINK)
  const { data, size } = encode(LINK, { ecc: 'M', border: 4 })
  expect(svg).toStartWith(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size * MODULE} ${size * MODULE}"`,
  )
  const rows = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  for (const [, x, y] of svg.matchAll(/M(\d+),(\d+)h24v24h-24z/g)) {
    rows[Number(y) / MODULE]![Number(x) / MODULE] = true
  }
  expect(rows).toEqual(data)
  expect(rows.slice(0, 4).flat()).not.toContain(true)
  expect(rows.map((row) => row[3])).not.toContain(true)
})
