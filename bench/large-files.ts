import type { Disturbance } from './disturbance.ts'
import { htmlOf, pdfOf } from './sample-content.ts'
import { type Handbill, newOwner } from './servers.ts'
import { read } from './timing.ts'
import { download, transfersOf } from './transfers.ts'

const ASSETS = 150
const ASSET_BYTES = 200_000

/** Actions with a large PDF and with a deck of many files, in separate accounts. */
export async function largeFiles(handbill: Handbill, pdfBytes: number): Promise<Disturbance[]> {
  const owner = await newOwner(handbill)
  const file_upload = await owner.upload(pdfOf(pdfBytes))
  const pdf = { file_upload, filename: 'large.pdf', title: 'PDF' }
  const { slug, id: pdfId } = await owner.create(pdf)
  const assets: { path: string; upload: string }[] = []
  for (let n = 0; n < ASSETS; n++) {
    const upload = await owner.upload(pdfOf(ASSET_BYTES + n))
    assets.push({ path: `assets/${n}.pdf`, upload })
  }
  const files = [{ path: 'index.html', html: new TextDecoder().decode(htmlOf(10_000)) }]
  const deck = { files, assets, title: 'Deck' }
  const { id: deckId } = await owner.create(deck)
  const zip = `/pages/${deckId}/download`
  let made = ''
  const create = async (fields: object) => {
    made = (await owner.create({ ...fields, title: 'Again' })).id
  }
  const undo = () => owner.call('DELETE', `/pages/${made}`)
  return [
    { name: `a page of a PDF of ${pdfBytes / 1e6} MB`, run: () => create(pdf), undo },
    { name: 'a view of it', run: () => read(`${handbill.url}/p/${slug}`) },
    { name: 'a download of it', run: () => download(owner, `/pages/${pdfId}/download`) },
    { name: `a deck of ${ASSETS} uploads`, run: () => create(deck), undo },
    { name: 'a zip of it', run: () => download(owner, zip) },
    {
      name: 'eight such zips at once',
      run: () => Promise.all(Array.from({ length: 8 }, () => download(owner, zip))),
    },
    ...transfersOf(handbill, owner, 'the PDF and the deck'),
  ]
}
