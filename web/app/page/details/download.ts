import { api, messageOf } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { saveFile } from '../../ui/save-file.ts'
import { showError } from '../../ui/toast.tsx'

/** Saves the one file of a page: its HTML, PDF or image. */
export async function downloadDraft(page: Page): Promise<void> {
  try {
    const path = page.file?.name ?? 'index.html'
    const file = await api.readFile({ id: page.id, path })
    saveFile(await file.blob(), page.file?.name ?? `${page.slug}.html`)
  } catch (err) {
    showError(messageOf(err))
  }
}
