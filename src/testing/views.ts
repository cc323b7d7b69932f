import type { PageObject } from '../model/page/page-object.ts'
import { base64, fileOf } from './material.ts'
import type { Owner } from './people.ts'

export const HTML = '<!doctype html><p>words'
export const DECK = {
  files: ['index.html', 'team.html', 'about/index.html'].map((path) => ({ path, html: HTML })),
  assets: [
    { path: 'a.css', data_base64: base64('p{}') },
    { path: 'a.png', data_base64: base64(fileOf('png')) },
  ],
}
export const PDF = () => ({ file_base64: base64(fileOf('pdf', 5000)), filename: 'a.pdf' })

/** The page's current number of views. */
export function viewsOf(owner: Owner, { id }: PageObject): Promise<number> {
  return owner.page(id).then(({ views }) => views)
}

/** Publishes a page of each kind. @returns each with the path that counts as a view */
export async function publishEachKind(owner: Owner, settings: object = {}) {
  const [single, deck, pdf] = [
    await owner.publish(HTML, settings),
    await owner.publish({ ...DECK, ...settings }),
    await owner.publish({ ...PDF(), ...settings }),
  ]
  return [
    { page: single, path: `/p/${single.slug}` },
    { page: deck, path: `/p/${deck.slug}/index.html` },
    { page: pdf, path: `/p/${pdf.slug}` },
  ]
}
