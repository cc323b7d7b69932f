import { describe, expect, it } from 'bun:test'
import { filePage } from './file-page.ts'
import type { Bytes } from './local-content.ts'

const utf8 = (text: string) => new TextEncoder().encode(text) as Bytes
const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

async function pageOf(name: string, bytes: Bytes) {
  const blob = new Blob([bytes])
  const deck = await filePage(name, blob)
  expect(deck.pages.map(({ path }) => path)).toEqual(['index.html'])
  expect(deck.assets).toHaveLength(1)
  expect(deck.assets[0]!.blob).toBe(blob)
  const page = await deck.pages[0]!.blob.text()
  expect(page).not.toContain('<script')
  return { page, path: deck.assets[0]!.path }
}

describe('the page of a file', () => {
  it('shows CSV as a table, with the separator that the file uses', async () => {
    const { page } = await pageOf('a b.csv', utf8('Name;Sum\n"Ann; <i>";1,5\n\nBen;2\n'))
    expect(page).toContain('<th>Name</th><th>Sum</th>')
    expect(page).toContain('<td>Ann; &lt;i&gt;</td><td>1,5</td>')
    expect(page).toContain('CSV, 31 bytes, 2 rows.')
    expect(page).toContain('href="a%20b.csv" download="a b.csv"')
  })

  it('shows the first rows of a long table, and says so', async () => {
    const { page } = await pageOf('long.csv', utf8('n\n'.repeat(1202)))
    expect(page.match(/<td>/g)).toHaveLength(1000)
    expect(page).toContain('1,201 rows, of which the first 1,000 are shown.')
  })

  it('indents JSON and keeps each digit; what is no JSON stays as it is', async () => {
    const digits = '12345678901234567890123'
    const { page } = await pageOf('a.json', utf8(`{"n":${digits},"e":{},"s":"{,}"}`))
    expect(page).toContain(`{\n  &quot;n&quot;: ${digits},\n  &quot;e&quot;: {},`)
    expect(page).toContain('&quot;s&quot;: &quot;{,}&quot;\n}')
    expect((await pageOf('b.json', utf8('{"a":1,'))).page).toContain(
      '<pre dir="auto">{&quot;a&quot;:1,',
    )
  })

  it('reads text as UTF-8, by a mark as UTF-16, and old text as windows-1252', async () => {
    expect((await pageOf('a.txt', utf8('naïve'))).page).toContain('>naïve</pre>')
    expect((await pageOf('a.txt', latin('\xff\xfeh\0i\0'))).page).toContain('>hi</pre>')
    expect((await pageOf('a.txt', latin('\x93na\xefve\x94'))).page).toContain('>“naïve”</pre>')
    expect((await pageOf('LICENSE', utf8('MIT'))).page).toContain('>MIT</pre>')
  })

  it('shows the start of a long text, and says so', async () => {
    const { page } = await pageOf('a.log', utf8('x'.repeat(300 * 1024)))
    expect(page.match(/x+<\/pre>/)![0]).toHaveLength(256 * 1024 + '</pre>'.length)
    expect(page).toContain('The start is shown.')
  })

  it('shows images, sound and video', async () => {
    expect((await pageOf('a.svg', utf8('<svg/>'))).page).toContain('<img src="a.svg"')
    expect((await pageOf('a.heic', latin('x'))).page).toContain('Only Safari shows this image')
    expect((await pageOf('a.mp3', latin('ID3'))).page).toContain('<audio src="a.mp3" controls')
    expect((await pageOf('a.mp4', latin('\0'))).page).toContain('<video src="a.mp4" controls')
  })

  it('says of a video as phones record it that not every browser plays it', async () => {
    const index = (codec: string) => latin(`moov stsd${'\0'.repeat(12)}${codec}`)
    const said = 'Some browsers cannot play this video'
    expect((await pageOf('a.mov', index('hvc1'))).page).toContain(said)
    expect((await pageOf('a.mp4', index('hev1'))).page).toContain(said)
    expect((await pageOf('a.mp4', index('avc1'))).page).not.toContain(said)
  })

  it('offers everything else to download', async () => {
    const { page } = await pageOf('report.docx', latin('PK\x03\x04\0'))
    expect(page).toContain('DOCX, 5 bytes. Browsers cannot show this file.')
    expect(page).not.toContain('<pre')
  })

  it('gives the file a path that a deck takes', async () => {
    expect((await pageOf('~a:b?.bin', latin('\0'))).path).toBe('a-b-.bin')
    expect((await pageOf('~', latin('\0'))).path).toBe('file')
  })
})
