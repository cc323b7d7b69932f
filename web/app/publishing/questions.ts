import type { LocalContent, LocalDeck } from '../../../src/client/content/local-content.ts'
import { defaultEntry } from '../../../src/model/manifest.ts'
import { api, type ListedPage } from '../api.ts'
import { readSource } from './read-source.ts'
import type { Source } from './sources.ts'
import { type Question, questions } from './stores.ts'

const MAX_NAME = 200
let lastId = 0

/** Asks whether sources replace the content of a page. */
export function ask(question: Omit<Question, 'id'>): void {
  lastId += 1
  questions.set([...questions.get(), { ...question, id: lastId }])
}

/** Asks about each source that has the name of a page. @returns those that have none */
export async function askAboutNamesakes(
  sources: readonly Source[],
  form: Question['form'],
): Promise<Source[]> {
  const others: Source[] = []
  for (const source of sources) {
    const page = await findNamesake(source)
    if (page === undefined) others.push(source)
    else ask({ pageId: page.id, sources: [source], isNamesake: true, form })
  }
  return others
}

/** The page with the title that the source would get, or whose file has its name. */
async function findNamesake(source: Source): Promise<ListedPage | undefined> {
  try {
    for (const name of await namesOf(source)) {
      const [page] = (await api.listPages({ name, limit: 1 })).data
      if (page !== undefined) return page
    }
  } catch {
    // It is published like any other: if that fails as well, it says why and can be repeated.
  }
  return undefined
}

/** Its title, and its name with and without the ending. */
async function namesOf(source: Source): Promise<string[]> {
  const title = await titleIn(await readSource(source))
  const names = [title, source.name, source.name.replace(/\.[a-z0-9]+$/i, '')]
  const clean = names.map((name) =>
    name
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, MAX_NAME),
  )
  return [...new Set(clean)].filter((name) => name !== '')
}

async function titleIn(local: LocalContent): Promise<string> {
  if (local.kind === 'file') return local.name
  const blob = local.kind === 'html' ? local.blob : entryOf(local)
  // The element alone: of a whole document, the browser reports each style that it may not use.
  const [element = ''] = /<title\b[^>]{0,999}>[^<]{0,9999}/i.exec(await blob.text()) ?? []
  return new DOMParser().parseFromString(element, 'text/html').title
}

function entryOf({ pages }: LocalDeck): Blob {
  const entry = defaultEntry(pages.map(({ path }) => path))
  return pages.find(({ path }) => path === entry)!.blob
}
