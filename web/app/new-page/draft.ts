import type { Page } from '../boot.ts'
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
const KEY = 'handbill-new-page'

/** It survives a reload and a session that ends: the tab's own storage has it. */
export const newPage = createStore<NewPage>(stored())
newPage.subscribe(() => {
  const { sources: _, ...typed } = newPage.get()
  try {
    sessionStorage.setItem(KEY, JSON.stringify(typed))
  } catch {
    // Larger than the browser stores, or it stores nothing: it lasts as long as the document.
  }
})

function stored(): NewPage {
  try {
    const typed = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<NewPage>
    return { ...NO_PAGE, ...typed, sources: [] }
  } catch {
    return NO_PAGE
  }
}

export function isInUse(): boolean {
  const { html, sources } = newPage.get()
  return html.trim() !== '' || sources.length > 0
}
