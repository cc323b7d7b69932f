import { expect, it } from 'bun:test'
import { encode } from 'uqr'
import { qrCodeOf, qrSvg } from './qr-dialog.tsx'

const LINK = 'https://pages.example.com/p/launch-plan'

/** The modules that a path fills, as rows of dark and light. */
function filled(path: string, size: number): boolean[][] {
  const rows = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    rows[Number(y)]!.fill(true, Number(x), Number(x) + Number(width))
  }
  return rows
}

it('the path fills exactly the dark modules', () => {
  const { size, path } = qrCodeOf(LINK)
  expect(filled(path, size)).toEqual(encode(LINK, { ecc: 'M', border: 4 }).data)
})

it('the file is an SVG with a light border of four modules', () => {
  const code = qrCodeOf(LINK)
  expect(qrSvg(code)).toStartWith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ')
  const rows = filled(code.path, code.size)
  expect(rows.slice(0, 4).flat()).not.toContain(true)
  expect(rows.map((row) => row[3])).not.toContain(true)
})
