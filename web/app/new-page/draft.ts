import { stored } from '../../stored.ts'
import type { Page } from '../api.ts'
import type { Source } from '../publishing/sources.ts'
import { createStore } from '../store.ts'

export interface NewPage {
  html: string
  /** How the text is read; null: as it looks. */
  format: 'html' | 'markdown' | null
  title: string
  access: Page['access']
  password: string
  emails: string
  /** Chosen files, in the place of the text. A reload forgets them. */
  sources: Source[]
}

export const NO_PAGE: NewPage = {
  html: '',
  format: null,
  title: '',
  access: 'link',
  password: '',
  emails: '',
  sources: [],
}
const storage = stored('sessionStorage', 'handbill-new-page')

/** It survives a reload and a session that ends: the tab's own storage has it. */
export const newPage = createStore<NewPage>({
  ...NO_PAGE,
  ...(storage.readJson() as Partial<NewPage> | null),
  sources: [],
})
newPage.subscribe(() => {
  const { sources: _, ...fields } = newPage.get()
  storage.write(JSON.stringify(fields))
})

export function isInUse(): boolean {
  const { html, sources } = newPage.get()
  return html.trim() !== '' || sources.length > 0
}
