import { describe, expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import { LOCKED_PDF } from '../../../testing/locked-pdf.ts'
import { processorMs } from '../../../testing/processor-time.ts'
import { samplePdf } from '../../../testing/sample-pdf.ts'
import { countSheets } from './pdf-sheets.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')

/** A PDF whose objects are in a compressed stream, as most programs write it now. */
function compressed(objects: string[], { dict = '/Filter /FlateDecode', data = '' } = {}) {
  let offset = 0
  const numbers = objects.map((object, at) => {
    const pair = `${at + 1} ${offset}`
    offset += object.length + 1
    return pair
  })
  const header = `${numbers.join(' ')} `
  const stream = data === '' ? deflateSync(latin(`${header}${objects.join(' ')}`)) : latin(data)
  const about = `/Type /ObjStm /N ${objects.length} /First ${header.length} ${dict}`
  return Buffer.concat([
    latin(`%PDF-1.7\n9 0 obj\n<< ${about} /Length ${stream.length} >>\nstream\r\n`),
    stream,
    latin('\nendstream\nendobj\n'),
  ])
}

/** Made by pdfkit. */
async function written(pages: number): Promise<Buffer> {
  const document = new PDFDocument({ autoFirstPage: false })
  for (let at = 1; at <= pages; at += 1) document.addPage().text(`Sheet ${at}`)
  document.end()
  return Buffer.concat(await Array.fromAsync(document as unknown as AsyncIterable<Buffer>))
}

const CATALOG = '<</Type/Catalog/Pages 2 0 R>>'
const tree = (count: number | string) => `<</Type/Pages/Kids[3 0 R]/Count ${count}>>`

describe('the sheets of a PDF', () => {
  test.each([1, 3, 19, 45])('are counted: %i', async (pages) => {
    expect(countSheets(samplePdf({ pages, bulkBytes: 3000 }))).toBe(pages)
    expect(countSheets(await written(pages))).toBe(pages)
  })

  test.each<[string, Uint8Array, number | null]>([
    ['in a compressed stream', compressed([CATALOG, tree(7), '<</Type/Page>>']), 7],
    ['of all nodes, the most', compressed([tree(4), tree(12), tree(8)]), 12],
    [
      'in the longer of two states of the file',
      Buffer.concat([samplePdf({ pages: 5 }), latin(`\n2 0 obj\n${tree(2)}\nendobj\n`)]),
      5,
    ],
    ['whatever an outline counts', latin('1 0 obj <</Type/Outlines/Count 99>> endobj'), null],
    ['not by a reference', latin(`1 0 obj ${tree('12 0 R')} endobj`), null],
    ['not in an encrypted file', LOCKED_PDF, null],
    [
      'not in a stream with a predictor',
      compressed([tree(3)], { dict: '/Filter/FlateDecode/DecodeParms<</Predictor 12>>' }),
      null,
    ],
    [
      'not in a stream that is compressed otherwise',
      compressed([tree(3)], { dict: '/Filter /LZWDecode' }),
      null,
    ],
    [
      'not in a stream of too many objects',
      compressed([tree(3), ...Array.from({ length: 100_000 }, () => '0')]),
      null,
    ],
    ['not in a broken stream', compressed([tree(3)], { data: 'no zlib data' }), null],
    ['not where nothing is', latin('%PDF-1.7\nhello'), null],
    ['not in nothing', new Uint8Array(), null],
  ])('are read %s', (_, bytes, sheets) => {
    expect(countSheets(bytes)).toBe(sheets)
  })

  test('of a hostile file are unknown, in a time that grows with its size alone', () => {
    const bomb = deflateSync(Buffer.alloc(80 * 1024 * 1024))
    const stream = [latin('1 0 obj <</Type/ObjStm/Filter/FlateDecode>> stream\n'), bomb]
    const files = [
      Buffer.concat([...stream, latin('\nendstream endobj')]),
      latin('1 0 obj <</Type/ObjStm/Filter/FlateDecode>> stream\n'.repeat(50_000)),
      latin(' obj /Kids /Count '.repeat(100_000)),
      latin('/Type /ObjStm '.repeat(200_000)),
      compressed(Array.from({ length: 50_000 }, () => '/Kids')),
      latin(`1 0 obj /Type/ObjStm/Filter${' '.repeat(200_000)}x stream\nx endstream endobj`),
      latin('1 0 obj stream\nendstream '.repeat(80_000)),
    ]
    for (const bytes of files) {
      expect(processorMs(() => expect(countSheets(bytes)).toBe(null))).toBeLessThan(3000)
    }
  })
})
