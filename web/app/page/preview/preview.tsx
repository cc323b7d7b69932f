import type { Page } from '../../boot.ts'
import { nameOf } from '../words.ts'

/** What visitors see, beside the draft. */
export function PreviewTab({ page }: { page: Page }) {
  return <h2>{nameOf(page)}</h2>
}
