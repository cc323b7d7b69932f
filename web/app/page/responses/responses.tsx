import type { Page } from '../../boot.ts'
import { nameOf } from '../words.ts'

export default function ResponsesTab({ page }: { page: Page }) {
  return <h2>Responses of {nameOf(page)}</h2>
}
